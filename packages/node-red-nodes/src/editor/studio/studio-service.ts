import { askService } from '../ask-admin.ts'
import { RED, text } from '../red.ts'
import { type ServiceSettings, serviceWithId } from '../service-settings.ts'
import { field } from './elements.ts'

/** What the parts of the studio share. */
export interface Studio {
  /** The service whose voices are shown. */
  service(): ServiceSettings | undefined
  /** Called when a voice was added, changed or deleted. */
  onVoicesChange(): void
}

/** The selected service. @throws an Error with the reason if it does not exist any more. */
export function requireService({ service }: Studio): ServiceSettings {
  const chosen = service()
  if (!chosen) throw new Error(text('no-service'))
  return chosen
}

/** A select with the services of the flow, deployed or not. */
export function serviceField(onChange: () => void) {
  const select = $('<select></select>').on('change', onChange)
  const fill = () => {
    const chosen = String(select.val() ?? '')
    const options = [$('<option value=""></option>').text(text('config-node.service.empty'))]
    RED.nodes.eachConfig((config) => {
      const { id, type, name, baseUrl } = config as unknown as Record<string, string | undefined>
      const label = name || baseUrl || text('row.service')
      if (type === 'parlando-service') options.push($('<option></option>').val(id!).text(label))
      return true
    })
    select.empty().append(options).val(chosen)
    if (select.val() === null) select.val('').trigger('change')
  }
  fill()
  for (const event of ['nodes:add', 'nodes:change', 'nodes:remove']) {
    RED.events.on(event, (node: { type?: string }) => {
      if (node.type === 'parlando-service') fill()
    })
  }
  return {
    element: field(text('row.service'), select),
    service: () => serviceWithId(String(select.val() ?? '')),
  }
}

/** Node-RED speaks this many characters for *Listen*. */
export const maxSpokenCharacters = 300

/** Speech of a service, as an address that the browser plays. */
export async function speak(
  studio: Studio,
  words: { text: string; voiceId: string },
  signal: AbortSignal,
): Promise<string> {
  const service = requireService(studio)
  const request = { service, modelId: service.model, ...words }
  const speech = await askService<{ audio: string; mediaType: string }>('listen', request, signal)
  return `data:${speech.mediaType};base64,${speech.audio}`
}
