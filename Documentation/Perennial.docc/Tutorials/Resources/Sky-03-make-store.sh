#!/bin/sh
# Makes the store that the application brings along, and looks whether it is sound.
set -eu
perennial build-store Sources/Sky/Sky.xcdatamodel Sources/Sky/Seeds -o Sources/Sky/Sky.sqlite --force --quiet
perennial check Sources/Sky/Sky.sqlite
