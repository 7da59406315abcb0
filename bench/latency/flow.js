export const speakId = 'bench-speak'

const tabId = 'bench-tab'
const serviceId = 'bench-service'
const listenerId = 'bench-listener'
const audio = { voice: 'Clara', encoding: 'PCM' }

/** The speech that the speak node requests if a message selects the model. */
export function audioOf(model) {
  return { model, ...audio }
}

/** A speak node that uses the service at `baseUrl`, wired to another node. */
export function createFlow({ baseUrl, apiKey }) {
  const flows = [
    { id: tabId, type: 'tab', label: 'Bench' },
    { id: serviceId, type: 'parlando-service', location: 'hosted', baseUrl },
    {
      id: speakId,
      type: 'parlando-speak',
      z: tabId,
      service: serviceId,
      text: 'payload',
      textType: 'msg',
      ...audio,
      model: 'svc-tts-2',
      sampleRate: '24000',
      output: 'chunks',
      busy: 'wait',
      wires: [[listenerId]],
    },
    { id: listenerId, type: 'debug', z: tabId, active: false, wires: [] },
  ]
  return { flows, credentials: { [serviceId]: { apiKey } } }
}
