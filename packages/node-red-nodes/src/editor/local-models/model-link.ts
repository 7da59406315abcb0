import { isLoopback } from '@parlando/core/address'
import type { LocalModel } from '@parlando/core/wire'
import { RED, text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import { openModelDialog } from './model-dialog.ts'

/**
 * A link that opens the dialog with more voices, recognisers or wake words, for users who may change flows.
 * @param onChange called when a model was installed or removed.
 */
export function modelLink(
  kind: LocalModel['kind'],
  service: () => ServiceSettings | undefined,
  onChange: () => void,
) {
  const element = $('<button type="button" class="parlando-link"></button>')
    .text(text(`models.more-${kind}s`))
    .on('click', () => {
      const chosen = service()
      if (chosen) openModelDialog({ service: chosen, kind, onChange })
    })
  const update = () => {
    element.toggle(RED.user.hasPermission('flows.write') && isOnThisMachine(service()))
  }
  update()
  return {
    element,
    /** Shows the link if the service may install models. Called when another service is selected. */
    update,
  }
}

/** Other services do not install models for their callers. */
function isOnThisMachine(service: ServiceSettings | undefined): boolean {
  if (service?.location !== 'hosted') return service !== undefined
  return URL.canParse(service.baseUrl) && isLoopback(new URL(service.baseUrl).hostname)
}
