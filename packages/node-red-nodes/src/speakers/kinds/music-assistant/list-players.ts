import type { ListedDevice } from '../../speaker-kind.ts'
import { Connection, type ConnectionOptions } from './music-assistant-connection.ts'
import { type PlayerState, readPlayer } from './player-state.ts'

const maxPlayers = 1000

/** Lists the players of Music Assistant, also those that are away. @throws {SpeakerError} */
export async function listPlayers(
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<ListedDevice[]> {
  const connection = await Connection.open(options, signal)
  try {
    return readPlayers(await connection.request('players/all'))
  } finally {
    connection.close()
  }
}

export function readPlayers(result: unknown): ListedDevice[] {
  const players = Array.isArray(result) ? result.slice(0, maxPlayers) : []
  return players.flatMap((value) => {
    const player = readPlayer(value)
    // Some belong to one browser only, or are part of another one.
    const isHidden = value?.private === true || value?.type === 'protocol'
    if (!player || isHidden) return []
    return [{ id: player.id, name: player.name, room: '', abilities: abilitiesOf(player) }]
  })
}

/** What a player can, as names of texts. */
function abilitiesOf({ isAvailable, isGroup, volume }: PlayerState): string[] {
  return [
    ...(isAvailable ? [] : ['away']),
    ...(isGroup ? ['group'] : []),
    'announces',
    ...(volume === undefined ? [] : ['volume']),
  ]
}
