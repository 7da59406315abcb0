import { everywhere, isNamed } from '../../shared/speaker-name.ts'
import type { Speaker } from '../../speakers/speaker.ts'

/**
 * The speakers that the form of a speaker names, each once; the speaker itself is none of them. Those that do not exist are left
 * out: they may be disabled.
 * @param names ids, names, rooms or `everywhere`, in any letter case. A hand-written flow may hold anything.
 */
export function otherSpeakers(
  ownId: string,
  names: unknown,
  speakers: Iterable<Speaker>,
): Speaker[] {
  const wanted = [names].flat().map((name) => String(name ?? ''))
  const isMeant = (speaker: Speaker) =>
    wanted.some((name) => name === everywhere || isNamed(speaker, name))
  return [...speakers].filter((speaker) => speaker.id !== ownId && isMeant(speaker))
}
