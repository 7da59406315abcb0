export const announceId = 'bench-announce'
export const speakIdOf = (response) => `bench-speak-${response}`
export const addressIdOf = (response) => `bench-address-${response}`
/** How the address node responds: as the sound grows, or by default as a file if it is soon complete. */
export const responses = ['chunked', 'adaptive']
export const pageName = 'bench'

const speech = { model: 'svc-tts-2-flash', voice: 'Clara' }
/** What speakers of this machine and pages take. */
export const pcm = { ...speech, encoding: 'PCM', sampleRateHertz: 24_000 }
/** What players that fetch an address take. */
export const mp3 = { ...speech, encoding: 'MP3', sampleRateHertz: 44_100 }

const tabId = 'bench-tab'
const serviceId = 'bench-service'
const listenerId = 'bench-listener'
const text = { text: 'payload', textType: 'msg' }

/**
 * An announce node, a page as speaker, and speak nodes whose audio gets an address.
 * @param speakers the settings of other speakers.
 */
export function createFlow({ baseUrl, apiKey }, speakers) {
  const flows = [
    { id: tabId, type: 'tab', label: 'Bench' },
    { id: serviceId, type: 'parlando-service', location: 'hosted', baseUrl },
    { id: 'bench-page', type: 'parlando-speaker', kind: 'page', name: pageName, leadOut: '0' },
    ...speakers.map(({ credentials: _secret, ...speaker }) => ({
      type: 'parlando-speaker',
      leadOut: '0',
      ...speaker,
    })),
    {
      id: announceId,
      type: 'parlando-announce',
      z: tabId,
      service: serviceId,
      speaker: 'machine',
      ...text,
      ...speech,
      // It would be heard before the service responds.
      chime: false,
      wires: [[], []],
    },
    ...responses.flatMap(speakWithAddress),
    // Hooks report only messages that a node receives.
    { id: listenerId, type: 'debug', z: tabId, active: false, wires: [] },
  ]
  const secrets = speakers.map(({ id, credentials = {} }) => [id, credentials])
  return { flows, credentials: { [serviceId]: { apiKey }, ...Object.fromEntries(secrets) } }
}

function speakWithAddress(response) {
  return [
    {
      id: speakIdOf(response),
      type: 'parlando-speak',
      z: tabId,
      service: serviceId,
      ...text,
      ...speech,
      encoding: mp3.encoding,
      sampleRate: String(mp3.sampleRateHertz),
      output: 'chunks',
      wires: [[addressIdOf(response)]],
    },
    {
      id: addressIdOf(response),
      type: 'parlando-address',
      z: tabId,
      response,
      wires: [[listenerId], []],
    },
  ]
}
