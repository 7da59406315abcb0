import { readBaseUrl, readCount, readKey, readNames, readText } from '../../config/option.ts'
import { defineEngine } from '../define-engine.ts'
import { createRemoteEngine } from '../remote/remote-engine.ts'
import { createOpenAiServer } from './openai-server.ts'

const defaultModel = 'tts-1'
const defaultRateHertz = 24_000

/** Offers the voices of a server of the OpenAI API, such as Kokoro-FastAPI, speaches, Chatterbox or LocalAI. */
export const openai = defineEngine({
  name: 'openai',
  options: {
    speechUpstream: {
      placeholder: 'URL',
      help: 'base URL of an OpenAI-compatible API that speaks, such as http://127.0.0.1:8880/v1, whose voices are offered too',
      read: readBaseUrl,
    },
    speechUpstreamKey: {
      placeholder: 'KEY',
      help: 'key for the speech upstream',
      read: readKey,
      isSecret: true,
    },
    speechUpstreamModel: {
      placeholder: 'NAME',
      help: 'model of the speech upstream',
      read: readText,
      shownDefault: defaultModel,
    },
    speechUpstreamVoices: {
      placeholder: 'NAME',
      help: 'voice of the speech upstream, such as alloy',
      read: readNames,
      shownDefault: 'the voices that it lists',
      isList: true,
    },
    speechUpstreamRate: {
      placeholder: 'HERTZ',
      help: 'sample rate of PCM from the speech upstream, if it does not state the rate',
      read: readCount(192_000),
      shownDefault: String(defaultRateHertz),
    },
  },
  start({ options, warn }) {
    const { speechUpstream: baseUrl, speechUpstreamKey: apiKey } = options
    if (!baseUrl) return undefined
    const serverName = {
      subject: `The speech server, ${baseUrl},`,
      option: '--speech-upstream',
      apiKey,
    }
    const server = createOpenAiServer({
      baseUrl,
      serverName,
      model: options.speechUpstreamModel ?? defaultModel,
      voices: options.speechUpstreamVoices,
      pcmRateHertz: options.speechUpstreamRate ?? defaultRateHertz,
    })
    return createRemoteEngine({ name: 'openai', address: baseUrl, server, serverName, warn })
  },
})
