import { readBaseUrl, readKey } from '../../config/option.ts'
import { defineEngine } from '../define-engine.ts'

/** Offers the voices of another service. */
export const upstream = defineEngine({
  name: 'upstream',
  options: {
    upstream: {
      placeholder: 'URL',
      help: 'base URL of another speech service of this protocol, whose voices are offered too',
      read: readBaseUrl,
    },
    upstreamKey: {
      placeholder: 'KEY',
      help: 'key for the upstream',
      read: readKey,
      isSecret: true,
    },
  },
  async start({ options: { upstream: baseUrl, upstreamKey: apiKey }, warn }) {
    if (!baseUrl) return undefined
    // Imported on demand: the client and its HTTP library take a third of the time in which the service loads.
    const { createUpstreamEngine } = await import('./parlando-engine.ts')
    return createUpstreamEngine({ baseUrl, apiKey, warn })
  },
})
