import { WebSocket } from 'undici'

/** Receives debug messages, statuses and commands from Node-RED over a WebSocket, as the editor does. */
export async function subscribeToEditorEvents(baseUrl: string) {
  const url = `${baseUrl.replace('http', 'ws')}/comms`
  const texts = new Map<string, string[]>()
  const add = (key: string, text: string) => void texts.set(key, [...(texts.get(key) ?? []), text])
  const subscribers = new Set<(topic: string, message: unknown) => void>()
  const socket = new WebSocket(url)
  socket.addEventListener('message', ({ data }) => {
    for (const { topic, data: event } of [JSON.parse(data)].flat()) {
      for (const notify of subscribers) notify(topic, event)
      if (topic === 'debug') add(`debug/${event.id}`, String(event.msg))
      else if (topic?.startsWith('status/')) add(topic, event.text ?? '')
    }
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () =>
      reject(new Error(`no connection to the editor events of Node-RED at ${url}`)),
    )
  })
  for (const subscribe of ['debug', 'status/#', 'parlando/#'])
    socket.send(JSON.stringify({ subscribe }))
  return {
    debugTexts: (id: string) => texts.get(`debug/${id}`) ?? [],
    statuses: (id: string) => texts.get(`status/${id}`) ?? [],
    subscribe(onMessage: (topic: string, message: unknown) => void) {
      subscribers.add(onMessage)
      return () => void subscribers.delete(onMessage)
    },
    forget: () => texts.clear(),
    close: () => socket.close(),
  }
}
