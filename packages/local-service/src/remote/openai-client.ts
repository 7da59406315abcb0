import { codeOfHttpStatus, createRedactor, parseJson } from '@parlando/core/wire'
import { z } from 'zod'
import { readLimitedText } from './read-response.ts'
import { readFailure, type ServerName } from './server-failure.ts'

/** Calls a server that speaks, transcribes or chats: one of the OpenAI API, or Piper's. */
export interface OpenAiClient {
  /**
   * Sends a request to the first address that has the path, and remembers the address when a request succeeds. Resolves
   * when the response begins.
   */
  send(path: string, init: RequestInit): Promise<Response>
  /**
   * Reads a list, such as `/models`, and removes the key from it.
   * @returns `undefined` if the server does not have the list, and `null` if it is not JSON.
   * @throws {ServiceError} if the server fails or rejects the key.
   */
  readList(path: string, signal: AbortSignal): Promise<unknown>
}

const maxListBytes = 8 * 1024 * 1024

/**
 * @param addresses where the API may be, tried in this order. Servers differ in whether it begins with `/v1`.
 * @param server with the key, which is sent only to these addresses.
 */
export function createOpenAiClient(addresses: readonly string[], server: ServerName): OpenAiClient {
  const { apiKey = '' } = server
  const authorization = apiKey ? { authorization: `Bearer ${apiKey}` } : undefined
  const redact = createRedactor([apiKey])
  let possible = addresses

  const send = async (path: string, init: RequestInit): Promise<Response> => {
    let missing: Response | undefined
    for (const address of possible) {
      // A redirect could send the key to another server.
      const headers = { ...(init.headers as Record<string, string>), ...authorization }
      const response = await fetch(address + path, { ...init, headers, redirect: 'manual' })
      if (response.status !== 404 && response.status !== 405) {
        // An error may come from a proxy while the server starts, and says nothing about the address.
        if (response.ok) possible = [address]
        await missing?.body?.cancel()
        return response
      }
      if (missing) await response.body?.cancel()
      missing ??= response
    }
    return missing!
  }

  return {
    send,
    async readList(path, signal) {
      const response = await send(path, { signal })
      if (response.ok)
        return parseJson(redact(await readLimitedText(response, maxListBytes))) ?? null
      const { status } = response
      if (status === 401 || status === 403 || status >= 500 || !codeOfHttpStatus(status)) {
        throw await readFailure(response, server)
      }
      await response.body?.cancel()
      return undefined
    },
  }
}

const modelSchema = z.looseObject({
  id: z.string().min(1),
  /** Some servers state it, such as `text-to-speech`. */
  task: z.string().nullish().catch(undefined),
})

/** The models in a list of the OpenAI API. Empty for anything else. */
export function modelsIn(list: unknown): z.infer<typeof modelSchema>[] {
  const { data } = (list ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) return []
  return data.flatMap((item) => modelSchema.safeParse(item).data ?? [])
}

/** A base URL without the slashes at its end. */
export function trimAddress(baseUrl: string): string {
  return baseUrl.replace(/(?<!\/)\/+$/, '')
}
