import type { NodeAPI } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import type { Speaker } from '../../speakers/speaker.ts'

/**
 * Finds loudspeakers by id, name or room, in any letter case. Without a name: the loudspeaker `automatic`.
 * @throws {NodeInputError} for a name that no loudspeaker has.
 */
export function findSpeakers(
  names: readonly string[],
  speakers: readonly Speaker[],
  RED: Pick<NodeAPI, '_'>,
): Speaker[] {
  const wanted = names.map((name) => name.trim()).filter((name) => name !== '')
  if (wanted.length === 0) wanted.push('automatic')
  const found = wanted.flatMap((name) => {
    const matching = speakers.filter((speaker) => isNamed(speaker, name.toLowerCase()))
    if (matching.length > 0) return matching
    const known = speakers.map((speaker) => speaker.name).join(', ')
    throw new NodeInputError(RED._('speaker.error.unknown-speaker', { name, known }))
  })
  return [...new Set(found)]
}

function isNamed({ id, name, room }: Speaker, wanted: string): boolean {
  return id === wanted || [name, room].some((own) => own.trim().toLowerCase() === wanted)
}
