#!/usr/bin/env bash
# Rates the levels of the shipped engines on the ladder of built-in players, and plays each against
# the one below. Prints one table a variant; some ten minutes on two cores.
#   scripts/rate_levels.sh [VARIANT ...]
set -euo pipefail
cd "$(dirname "$0")/.."
toguz=build/release/toguz
variants=("$@")
[ ${#variants[@]} -gt 0 ] || variants=(standard giveaway bestemshe seven)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for variant in "${variants[@]}"; do
  model=model:models/pretrained/$variant.tzn
  echo "== $variant: each level against the one below"
  "$toguz" match "$model,level=1" greedy --variant "$variant" --games 400 --quiet | sed -n 's/^Elo */level 1 against greedy: /p'
  for level in 2 3 4 5 6 7 8 9 10; do
    games=400
    if [ "$level" -eq 10 ]; then games=100; fi
    "$toguz" match "$model,level=$level" "$model,level=$((level - 1))" --variant "$variant" \
      --games "$games" --quiet | sed -n "s/^Elo */level $level against $((level - 1)): /p"
  done
  echo "== $variant: on the ladder"
  levels=()
  for level in 1 2 3 4 5 6 7 8 9; do levels+=("$model,level=$level"); done
  "$toguz" rate "${levels[@]}" --variant "$variant" --games 6000 --results "$work/$variant.json" 2>/dev/null
done
