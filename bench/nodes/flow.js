export const speakId = 'bench-speak'
export const requestId = 'bench-request'
export const decodeId = 'bench-decode'

const tabId = 'bench-tab'
const serviceId = 'bench-service'
const listenerId = 'bench-listener'

/** What both ways request: mono PCM, 16 bits, 24 kHz. */
export const speech = {
  modelId: 'svc-tts-2',
  voiceId: 'Clara',
  audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24_000 },
}

/**
 * The same service used by speak nodes, and by the nodes that come with Node-RED: an http request node for the whole
 * response, and a function node that decodes its audio.
 */
export function createFlow({ baseUrl, apiKey }, speakIds = [speakId]) {
  const flows = [
    { id: tabId, type: 'tab', label: 'Bench' },
    { id: serviceId, type: 'parlando-service', location: 'hosted', baseUrl, concurrent: '100' },
    ...speakIds.map((id) => ({
      id,
      type: 'parlando-speak',
      z: tabId,
      service: serviceId,
      text: 'payload',
      textType: 'msg',
      voice: speech.voiceId,
      model: speech.modelId,
      encoding: speech.audioConfig.audioEncoding,
      sampleRate: String(speech.audioConfig.sampleRateHertz),
      output: 'chunks',
      busy: 'parallel',
      wires: [[listenerId]],
    })),
    {
      id: requestId,
      type: 'http request',
      z: tabId,
      method: 'POST',
      ret: 'obj',
      url: new URL('/tts/v1/voice', baseUrl).href,
      persist: true,
      headers: [
        {
          keyType: 'Authorization',
          keyValue: '',
          valueType: 'other',
          valueValue: `Basic ${apiKey}`,
        },
      ],
      wires: [[decodeId]],
    },
    {
      id: decodeId,
      type: 'function',
      z: tabId,
      func: "msg.payload = Buffer.from(msg.payload.audioContent, 'base64'); return msg",
      outputs: 1,
      wires: [[listenerId]],
    },
    { id: listenerId, type: 'debug', z: tabId, active: false, wires: [] },
  ]
  return { flows, credentials: { [serviceId]: { apiKey } } }
}
