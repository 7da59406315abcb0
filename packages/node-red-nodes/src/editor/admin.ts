import { RED } from './red.ts'
import type { ServiceSettings } from './service-settings.ts'
import { text } from './texts.ts'

/**
 * Sends a request to Node-RED, which forwards it to the service: `voices`, `models`, `listen` or `test`.
 * @throws an Error with a message for the user of the form.
 */
export function askAdmin<Answer>(
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
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

/** Requests a list of a service. Users who may only read get the list of the deployed service. */
export function askForList<Answer>(
  list: 'voices' | 'models',
  service: ServiceSettings,
): Promise<Answer> {
  const mayWrite = RED.user.hasPermission('parlando.write')
  return askAdmin(mayWrite ? list : `deployed/${list}`, { service })
}
