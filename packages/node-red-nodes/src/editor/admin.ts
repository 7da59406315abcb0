import { text } from './texts.ts'

/**
 * Asks Node-RED, which asks the service: `voices`, `models`, `listen` or `test`.
 * @throws an Error whose message is a sentence for the person in front of the form.
 */
export function askAdmin<Answer>(
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // jQuery sends the token of whoever is logged in.
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
