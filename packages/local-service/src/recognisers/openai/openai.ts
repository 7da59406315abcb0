import { readBaseUrl, readKey, readText } from '../../config/option.ts'
import { defineRecogniser } from '../define-recogniser.ts'
import { createUpstreamRecogniser } from './openai-recogniser.ts'

/** A server of the OpenAI API that recognises speech, such as whisper.cpp, speaches, LocalAI or vLLM. */
export const upstream = defineRecogniser({
  name: 'upstream',
  options: {
    transcriptionUpstream: {
      placeholder: 'URL',
      help: 'base URL of an OpenAI-compatible API that recognises speech, such as http://127.0.0.1:8000/v1',
      read: readBaseUrl,
    },
    transcriptionUpstreamKey: {
      placeholder: 'KEY',
      help: 'key for the transcription upstream',
      read: readKey,
      isSecret: true,
    },
    transcriptionUpstreamModel: {
      placeholder: 'NAME',
      help: 'model of the transcription upstream',
      read: readText,
      shownDefault: 'its models whose names say that they recognise speech',
    },
  },
  start({ options }) {
    const { transcriptionUpstream: baseUrl, transcriptionUpstreamKey: apiKey } = options
    const { transcriptionUpstreamModel: model } = options
    return baseUrl ? createUpstreamRecogniser({ baseUrl, apiKey, model }) : undefined
  },
})
