import type { Speaker } from '../../speakers/speaker.ts'

/**
 * The speakers that the form of a speaker names, each once; the speaker itself is none of them. Those that do not exist are left
 * out: they may be disabled.
 * @param names ids, names or rooms, in any letter case. A hand-written flow may hold anything.
 */
export function otherSpeakers(
  ownId: string,
  names: unknown,
  speakers: Iterable<Speaker>,
): Speaker[] {
  const wanted = new Set(
    [names].flat().map((name) =>
      String(name ?? '')
        .trim()
        .toLowerCase(),
    ),
  )
  wanted.delete('')
  return [...speakers].filter(({ id, name, room }) => {
    const own = [id, name, room].map((value) => value.trim().toLowerCase())
    return id !== ownId && own.some((value) => wanted.has(value))
  })
}
