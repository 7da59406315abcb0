/** A call, as the description of the service names it. Schemas go by their names in `schemas.ts`. */
export interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete'
  path: string
  summary: string
  /** Which key it takes where there is one. */
  key: 'none' | 'basic' | 'basic or bearer'
  /** Parameters of the query, by the schema that they make together. */
  query?: string
  body?: string
  /** What comes back, by media type: the name of a schema, or bytes or text. */
  answers: Readonly<Record<string, string | 'bytes' | 'text'>>
  /** The status of a good answer. Default 200. */
  status?: number
}

const json = (schema: string) => ({ 'application/json': schema })
const key = 'basic'

const speech: Operation[] = [
  {
    method: 'post',
    path: '/tts/v1/voice',
    summary: 'Speaks a text and gives the whole audio',
    key,
    body: 'SpeechRequest',
    answers: json('SpeechResult'),
  },
  {
    method: 'post',
    path: '/tts/v1/voice:stream',
    summary:
      'Speaks a text and gives the audio as it is made: a line of JSON for each chunk, with `result` or, once and last, `error`',
    key,
    body: 'SpeechRequest',
    answers: json('SpeechLine'),
  },
  {
    method: 'get',
    path: '/tts/v1/voice:preview',
    summary: 'Lets a voice say who it is',
    key,
    query: 'VoicePreviewQuery',
    answers: json('VoicePreview'),
  },
  {
    method: 'get',
    path: '/tts/v1/voices',
    summary: 'Lists the voices in an older form; deprecated',
    key,
    query: 'OlderVoiceListQuery',
    answers: json('OlderVoiceList'),
  },
]

// There is one workspace here, whatever it is called.
const voices = ['/voices/v1/voices', '/voices/v1/workspaces/{workspace}/voices'].flatMap(
  (path): Operation[] => [
    {
      method: 'get',
      path,
      summary: 'Lists the voices, by pages where asked for',
      key,
      query: 'VoiceListRequest',
      answers: json('VoiceList'),
    },
    {
      method: 'post',
      path: `${path}:clone`,
      summary: 'Makes a voice from recordings: an imprint of pitch, timbre and pace',
      key,
      body: 'VoiceCloneBody',
      answers: json('VoiceCloneResponse'),
    },
    {
      method: 'post',
      path: `${path}:design`,
      summary: 'Not available here: answers with code 12, UNIMPLEMENTED',
      key,
      answers: json('Problem'),
      status: 501,
    },
    {
      method: 'get',
      path: `${path}/{voiceId}`,
      summary: 'Gives a voice',
      key,
      answers: json('Voice'),
    },
    {
      method: 'patch',
      path: `${path}/{voiceId}`,
      summary: 'Changes the texts of a cloned voice',
      key,
      body: 'VoiceUpdate',
      answers: json('Voice'),
    },
    {
      method: 'delete',
      path: `${path}/{voiceId}`,
      summary: 'Deletes a cloned voice',
      key,
      answers: json('Nothing'),
    },
    {
      method: 'post',
      path: `${path}/{voiceId}:publish`,
      summary: 'Not available here: answers with code 12, UNIMPLEMENTED',
      key,
      answers: json('Problem'),
      status: 501,
    },
  ],
)

const openAiForm: Operation[] = [
  {
    method: 'post',
    path: '/v1/audio/speech',
    summary: 'Speaks a text, in the form of the OpenAI API',
    key: 'basic or bearer',
    body: 'SpeechBytesRequest',
    answers: {
      'audio/mpeg': 'bytes',
      'audio/wav': 'bytes',
      'audio/ogg': 'bytes',
      'audio/flac': 'bytes',
      'audio/pcm': 'bytes',
    },
  },
  {
    method: 'post',
    path: '/v1/chat/completions',
    summary:
      'Answers a chat, by the chat upstream or by the built-in echo; with `stream` as server-sent events, each a ChatChunk',
    key: 'basic or bearer',
    body: 'ChatRequest',
    answers: { ...json('ChatAnswer'), 'text/event-stream': 'text' },
  },
  {
    method: 'get',
    path: '/v1/models',
    summary: 'Lists the language models, in the form of the OpenAI API',
    key: 'basic or bearer',
    answers: json('OpenAiModelList'),
  },
  {
    method: 'get',
    path: '/llm/v1alpha/models',
    summary: 'Lists the language models',
    key,
    answers: json('ChatModelList'),
  },
]

const watching: Operation[] = [
  {
    method: 'get',
    path: '/healthz',
    summary: 'Tells whether the service can speak; 503 when it cannot or is about to end',
    key: 'none',
    answers: json('Health'),
  },
  {
    method: 'get',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    key: 'basic or bearer',
    answers: { 'text/plain': 'text' },
  },
  {
    method: 'get',
    path: '/openapi.yaml',
    summary: 'This description',
    key: 'none',
    answers: { 'application/yaml': 'text' },
  },
]

/** Every call that the service answers. */
export const operations: readonly Operation[] = [...speech, ...voices, ...openAiForm, ...watching]
