// Longer names are not misspelt names. The limit bounds the work, because a caller may send any name.
const maxCharacters = 40

/** The known name that a misspelt one probably means: `sampleRateHertz` for `sampleRate`, `voiceId` for `voice_id`. */
export function nearestName(misspelt: string, known: readonly string[]): string | undefined {
  if (misspelt.length > maxCharacters) return undefined
  const plain = letters(misspelt)
  const ranked = known
    .map((name) => ({ name, distance: distanceOf(plain, letters(name)) }))
    .sort((one, other) => one.distance - other.distance)
  const [nearest] = ranked
  return nearest && nearest.distance <= Math.max(1, plain.length / 3) ? nearest.name : undefined
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]/gu, '')
}

/** The number of letters to insert, delete or replace; 1 if one name begins with the other. */
function distanceOf(one: string, other: string): number {
  const isShortened = Math.min(one.length, other.length) >= 3
  if (one !== other && isShortened && (one.startsWith(other) || other.startsWith(one))) return 1
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const replaced = previous[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, previous[column]! + 1, next[column - 1]! + 1))
    }
    previous = next
  }
  return previous[other.length]!
}
