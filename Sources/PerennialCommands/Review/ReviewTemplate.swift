import Digests
import Foundation
import Mustache

/// The HTML template of a page with changes. It is part of the source, so that the program is a single file.
enum ReviewTemplate {
  static func html(_ page: ReviewPage) throws -> String {
    let template = try MustacheTemplate(string: markup)
    return template.render(Contents(page: page, style: style, styleHash: styleHash))
  }

  private struct Contents {
    let page: ReviewPage
    let style: String
    /// The hash by which the page's security policy allows its own style sheet and nothing else.
    let styleHash: String
  }

  private static var styleHash: String { Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString() }

  // Three braces insert text without escaping. `MarkupText` has escaped it already, including characters that
  // the template engine's own escaping does not handle.
  private static let markup = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{{{styleHash}}}'; \
    base-uri 'none'; form-action 'none'"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta name="color-scheme" content="light dark"/>
    <title>{{{page.title}}}</title>
    <style>{{{style}}}</style>
    </head>
    <body>
    <header>
    <h1>{{{page.title}}}</h1>
    <p class="subtitle">{{{page.subtitle}}}</p>
    <p class="verdict">{{{page.verdict}}}</p>
    {{#page.counts}}{{#first()}}<ul class="counts">
    {{/first()}}<li class="{{{mark}}}"><b>{{{number}}}</b> {{{words}}}</li>
    {{#last()}}</ul>
    {{/last()}}{{/page.counts}}
    </header>
    <main>
    {{#page.groups}}
    <section>
    <h2>{{{title}}} <span class="number">{{{number}}}</span></h2>
    {{#changes}}
    <article class="{{{mark}}}">
    <h3><span class="mark">{{{label}}}</span> {{{subject}}}</h3>
    <p class="words">{{{words}}}</p>
    <p class="note">{{{note}}}</p>
    {{#values}}{{#first()}}<table>
    <thead><tr><th scope="col">Property</th><th scope="col">{{{page.before}}}</th>\
    <th scope="col">{{{page.after}}}</th></tr></thead>
    <tbody>
    {{/first()}}<tr><th scope="row">{{{name}}}</th><td class="old"><del>{{{before}}}</del></td>\
    <td class="new"><ins>{{{after}}}</ins></td></tr>
    {{#last()}}</tbody>
    </table>
    {{/last()}}{{/values}}
    </article>
    {{/changes}}
    </section>
    {{/page.groups}}
    {{#page.hasMore}}<p class="more">{{{page.leftOut}}} more of the changes are left out of this page, which would be \
    too long. The command prints all of them without --html.</p>
    {{/page.hasMore}}
    </main>
    </body>
    </html>

    """

  private static let style = """
    :root{color-scheme:light dark;--page:#fff;--text:#1a1e24;--muted:#566070;--line:#d5dbe4;--card:#f6f8fb;\
    --added:#1c6b36;--changed:#2f5f9e;--removed:#a3312a;--conditional:#855700;--old:#fdecea;--new:#e6f5ea}
    @media (prefers-color-scheme:dark){:root{--page:#12151a;--text:#e8ecf2;--muted:#a8b2c0;--line:#343c48;\
    --card:#1b2027;--added:#7ed49a;--changed:#86b2f0;--removed:#f2938b;--conditional:#e3b45c;--old:#3a2020;\
    --new:#1b3324}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:72rem;padding:1.5rem;background:var(--page);color:var(--text);\
    font:15px/1.5 system-ui,-apple-system,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif}
    h1{font-size:1.5rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
    h2{font-size:1.15rem;margin:2rem 0 .6rem;padding-bottom:.3rem;border-bottom:1px solid var(--line);\
    overflow-wrap:anywhere}
    h3{font-size:.95rem;font-weight:600;margin:0;overflow-wrap:anywhere}
    p{margin:.2rem 0;overflow-wrap:anywhere}
    p:empty{display:none}
    .subtitle,.number,.note{color:var(--muted)}
    .number{font-weight:400;font-size:.9rem}
    .verdict{margin-top:.6rem;font-weight:600}
    .counts{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:.9rem 0 0;padding:0}
    .added{--mark:var(--added)}
    .changed{--mark:var(--changed)}
    .removed,.blocked{--mark:var(--removed)}
    .conditional{--mark:var(--conditional)}
    .counts li{border:1px solid var(--line);border-left:4px solid var(--mark);border-radius:6px;padding:.25rem .7rem}
    article{background:var(--card);border-left:4px solid var(--mark);border-radius:6px;margin:.5rem 0;\
    padding:.5rem .8rem}
    .mark{display:inline-block;min-width:5.2rem;font-size:.8rem;font-weight:600;color:var(--mark)}
    table{border-collapse:collapse;table-layout:fixed;width:100%;margin:.4rem 0 .2rem;font-size:.9rem}
    th,td{border:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top;\
    overflow-wrap:anywhere;white-space:pre-wrap}
    thead th{color:var(--muted);font-weight:500}
    thead th:first-child{width:24%}
    tbody th{font-weight:500}
    .old{background:var(--old)}
    .new{background:var(--new)}
    del,ins{text-decoration:none}
    .more{margin-top:1.5rem;padding:.6rem .8rem;border:1px dashed var(--line);border-radius:6px}
    @media (max-width:34rem){body{padding:.9rem}thead th:first-child{width:30%}}
    @media print{article{break-inside:avoid}}

    """
}
