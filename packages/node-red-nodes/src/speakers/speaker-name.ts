/** The name that means all speakers, unless a speaker or a room has it. */
export const everywhere = 'everywhere'

/** What flows may call a speaker. */
export interface NamedSpeaker {
  id: string
  name?: string
  room?: string
}

/** Whether a name means a speaker: by its id, its name or its room, in any letter case. */
export function isNamed({ id, name = '', room = '' }: NamedSpeaker, wanted: string): boolean {
  const key = keyOf(wanted)
  return key !== '' && [id, name, room].some((own) => keyOf(own) === key)
}

/** Whether a name is {@link everywhere}, in any letter case. */
export function isEverywhere(name: string): boolean {
  return keyOf(name) === everywhere
}

/** The rooms of speakers, each once, in alphabetical order. */
export function roomsOf(speakers: readonly NamedSpeaker[]): string[] {
  const rooms = new Map<string, string>()
  for (const { room = '' } of speakers) {
    const key = keyOf(room)
    if (key && !rooms.has(key)) rooms.set(key, room.trim())
  }
  return [...rooms.values()].sort((one, other) => one.localeCompare(other))
}

function keyOf(name: string): string {
  return name.trim().toLowerCase()
}
