import { RED, text } from './red.ts'
import type { ServiceSettings } from './service-settings.ts'

/** Node-RED did not do what a form has requested. The message is for its user. */
export class AdminError extends Error {
  /** Whether Node-RED has rejected the request, so it is there. */
  readonly isRejected: boolean

  constructor(message: string, isRejected: boolean) {
    super(message)
    this.isRejected = isRejected
  }
}

/** Sends a request to Node-RED. @throws {AdminError} */
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
      const message = reason ?? text(status === 0 ? 'away' : 'rejected', { status })
      reject(new AdminError(message, reason !== undefined))
    })
  })
}

/**
 * Sends a request to Node-RED, which forwards it to the service. Users who may not change flows send it to the deployed
 * service.
 * @throws {AdminError}
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
