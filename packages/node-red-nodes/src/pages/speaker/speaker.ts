import type { BrowserCommand } from '../../speakers/browser/commands.ts'
import { createSpeakerClient } from '../speaker-client.ts'
import { showEarlier } from './earlier.ts'
import { keepAwake } from './keep-awake.ts'
import { pageTexts } from './texts.ts'

const texts = pageTexts()
const path = location.pathname.replace(/\/$/, '')
const player = Math.random().toString(36).slice(2)
const element = <Type extends HTMLElement>(id: string) => document.getElementById(id) as Type

const volume = element<HTMLInputElement>('volume')
const name = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
const earlier = showEarlier(element('earlier'), `parlando speaker ${name}`, texts.earlier)
document.title = name
element('name').textContent = name
element('tap').textContent = texts.tap
element('why').textContent = texts.why
element('volume-label').textContent = texts.volume

const take = createSpeakerClient({
  server: {
    async report(id, event) {
      const query = new URLSearchParams({ id, player, event })
      const response = await fetch(`${path}/report?${query}`, { method: 'POST', keepalive: true })
      return ((await response.json()) as { play: boolean }).play
    },
    fetchAudio: (id) => fetch(`${path}/audio?${new URLSearchParams({ id, player })}`),
  },
  onSaying(text) {
    // The text stays until the next one, for people who look up too late.
    if (text === undefined) return
    element('text').textContent = text || texts.soundWithoutText
    earlier.add(text || texts.soundWithoutText)
  },
  onUnlocked() {
    element('tap').hidden = true
    element('why').hidden = true
    keepAwake()
  },
  ownVolume: () => Number(volume.value),
})

function showState(isConnected: boolean): void {
  const state = element('state')
  state.className = isConnected ? 'ready' : ''
  state.textContent = isConnected ? texts.ready : texts.connecting
}

/** Connects to Node-RED, and again after a restart, when the browser itself gives up. */
function connect(): void {
  const events = new EventSource(`${path}/events?${new URLSearchParams({ player })}`)
  events.onopen = () => showState(true)
  events.onmessage = ({ data }) => take(JSON.parse(data) as BrowserCommand)
  events.onerror = () => {
    showState(false)
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 2000)
  }
}

showState(false)
connect()
