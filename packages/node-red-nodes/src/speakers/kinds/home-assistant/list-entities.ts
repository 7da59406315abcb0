import { withinTime } from '../../../runtime/wait.ts'
import { responseLimitMs } from '../../network/api-socket.ts'
import { objectOf, parseJson } from '../../network/json.ts'
import type { ListedDevice } from '../../speaker-kind.ts'
import { mediaPlayerFeatures, satelliteFeatures } from './entity-state.ts'
import {
  HomeAssistantConnection,
  type HomeAssistantConnectionOptions,
} from './home-assistant-connection.ts'
import { problem } from './speaker-problem.ts'

/** Neither the registries nor the states alone have all of this, and those of a large house are long. */
const template = `{% set found = namespace(entities=[]) %}
{% for entity in states.media_player | list + states.assist_satellite | list %}
{% set found.entities = found.entities + [[entity.entity_id, entity.name, area_name(entity.entity_id) or '',
entity.attributes.supported_features | int(0)]] %}
{% endfor %}
{{ found.entities | to_json }}`

const maxEntities = 1000

/** Lists the media players and the satellites of a house that can play an address. @throws {SpeakerError} */
export async function listEntities(
  options: HomeAssistantConnectionOptions,
  signal: AbortSignal,
): Promise<ListedDevice[]> {
  const connection = await HomeAssistantConnection.open(options, signal)
  try {
    const { RED, server, limitMs = responseLimitMs } = options
    const rendered = new Promise<unknown>((resolve, reject) => {
      const command = { type: 'render_template', template }
      connection.subscribe(command, (event) => resolve(objectOf(event)['result'])).catch(reject)
    })
    const result = await withinTime(limitMs, Promise.race([rendered, connection.ended]), () =>
      problem(RED, 'no-response', { address: server.address }),
    )
    return readEntities(result)
  } finally {
    connection.close()
  }
}

/** @param result A list, or, where a name is not a literal of Python, its JSON. */
export function readEntities(result: unknown): ListedDevice[] {
  const rows = typeof result === 'string' ? parseJson(result) : result
  if (!Array.isArray(rows)) return []
  return rows.slice(0, maxEntities).flatMap((row) => {
    const [id, name, room, features] = Array.isArray(row) ? row : []
    if (typeof id !== 'string' || typeof features !== 'number') return []
    const abilities = abilitiesOf(id, features)
    const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 100) : '')
    return abilities.length === 0 ? [] : [{ id, name: text(name), room: text(room), abilities }]
  })
}

/** What an entity can, as names of texts; nothing if it cannot play an address. */
function abilitiesOf(id: string, features: number): string[] {
  const has = (feature: number) => (features & feature) !== 0
  if (id.startsWith('assist_satellite.'))
    return has(satelliteFeatures.announce) ? ['satellite'] : []
  if (!id.startsWith('media_player.') || !has(mediaPlayerFeatures.playMedia)) return []
  return [
    has(mediaPlayerFeatures.announce) ? 'announces' : 'interrupts',
    ...(has(mediaPlayerFeatures.setVolume) ? ['volume'] : []),
  ]
}
