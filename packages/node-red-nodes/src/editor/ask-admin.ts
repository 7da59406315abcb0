import { RED, text } from './red.ts'
import type { ServiceSettings } from './service-settings.ts'

/**
 * Sends a request to Node-RED.
 * @throws an Error with a message for the user of the form.
 */
export function askAdmin<Answer>(
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    // jQuery sends the access token of the current user.
    const asking = $.ajax({
      url: `parlando/${path}`,
      method: 'POST',
      contentType: 'application/json',
      data: JSON.stringify(body),
    })
    signal?.addEventListener('abort', () => asking.abort())
    asking.then(resolve, ({ status, responseJSON }: JQuery.jqXHR) => {
      const reason = responseJSON?.error?.message
      reject(new Error(reason ?? text(status === 0 ? 'away' : 'rejected', { status })))
    })
  })
}

/**
 * Sends a request to Node-RED, which forwards it to the service. Users who may not change flows send it to the deployed
 * service.
 * @throws an Error with a message for the user of the form.
 */
export function askService<Answer>(
  request:
    | 'voices'
    | 'models'
    | 'recognisers'
    | 'wake-words'
    | 'listen'
    | 'test'
    | `studio/${'clone' | 'change' | 'delete' | 'export' | 'import'}`,
  body: { service: ServiceSettings; [field: string]: unknown },
  signal?: AbortSignal,
): Promise<Answer> {
  const mayChangeFlows = RED.user.hasPermission('flows.write')
  return askAdmin(mayChangeFlows ? request : `deployed/${request}`, body, signal)
}
