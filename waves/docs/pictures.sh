#!/bin/sh
# Takes the pictures of waves/docs/tour.md: runs the indented commands of that page in order, in a folder of its own, and
# opens the view of every `--vcd NAME.vcd` in a real GTKWave under Xvfb. A new picture needs its command on the page and
# nothing here. Needs gtkwave, xvfb and imagemagick (Debian package names). LSU=PROGRAM takes a built `lsu`.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
for tool in gtkwave Xvfb import; do
    command -v "$tool" >/dev/null || {
        echo "pictures.sh: $tool is missing: apt-get install gtkwave xvfb imagemagick" >&2
        exit 1
    }
done

work=$(mktemp -d)
server=
viewer=
trap 'kill $viewer $server 2>/dev/null || true; rm -rf "$work"' EXIT INT TERM

# Xvfb picks a free display and writes its number to descriptor 3.
Xvfb -displayfd 3 -screen 0 1600x900x24 3>"$work/display" >/dev/null 2>&1 &
server=$!
tries=0
until [ -s "$work/display" ]; do
    tries=$((tries + 1))
    [ "$tries" -le 100 ] || { echo "pictures.sh: Xvfb does not start" >&2; exit 1; }
    sleep 0.1
done
DISPLAY=:$(cat "$work/display")
export DISPLAY

# GTKWave leaves out a name that it does not find without a word, so it is asked what it shows.
cat >"$work/count.tcl" <<'END'
puts "shown [llength [gtkwave::getDisplayedSignals]]"
END

# picture DUMP NAME: opens DUMP with its view and writes pictures/NAME.png.
picture() {
    # A home of its own, so that nobody's GTKWave settings show.
    HOME=$work gtkwave --nomenu --script "$work/count.tcl" "$1" "$1.gtkw" >"$work/log" 2>&1 &
    viewer=$!
    # GTKWave says nothing when it has drawn; the picture counts once two in a row are the same and not empty.
    last=none
    tries=0
    while :; do
        sleep 1
        import -window root "$work/picture.png"
        now=$(identify -format '%k-%#' "$work/picture.png")
        case $now in 1-*) ;; "$last") break ;; esac
        last=$now
        tries=$((tries + 1))
        [ "$tries" -le 60 ] || { echo "pictures.sh: GTKWave does not settle:" >&2; cat "$work/log" >&2; exit 1; }
    done
    kill "$viewer"
    wait "$viewer" 2>/dev/null || true
    viewer=
    if grep -Ei 'could not|unknown vcd|not found' "$work/log" >&2; then
        echo "pictures.sh: GTKWave complains about $1" >&2
        exit 1
    fi
    wanted=$(grep -c '^+{' "$1.gtkw")
    shown=$(sed -n 's/^shown //p' "$work/log")
    if [ "$shown" != "$wanted" ]; then
        echo "pictures.sh: GTKWave shows $shown of the $wanted signals of $1.gtkw" >&2
        exit 1
    fi
    convert "$work/picture.png" -strip -colors 64 "PNG8:$here/pictures/$2.png"
    echo "waves/docs/pictures/$2.png"
}

lsu() {
    if [ -n "${LSU:-}" ]; then
        "$LSU" "$@"
    else
        cargo run --release --quiet --manifest-path "$root/Cargo.toml" -p lsu-cosim -- "$@"
    fi
}

mkdir -p "$here/pictures"
ln -s "$root/waves" "$root/cosim" "$work"
sed -n 's/^    \(lsu \|sed \)/\1/p' "$here/tour.md" >"$work/commands"
[ -s "$work/commands" ] || { echo "pictures.sh: no commands in tour.md" >&2; exit 1; }
while read -r command <&4; do
    status=0
    (cd "$work" && eval "$command") >"$work/said" 2>&1 || status=$?
    # 1 is a mismatch, which one of the pictures shows.
    if [ "$status" -gt 1 ]; then
        echo "pictures.sh: $command" >&2
        cat "$work/said" >&2
        exit 1
    fi
    name=$(echo "$command" | sed -n 's/.*--vcd \([a-z-]*\)\.vcd.*/\1/p')
    [ -z "$name" ] || picture "$work/$name.vcd" "$name"
done 4<"$work/commands"
