import type { Page } from 'playwright-core'

/** In the page. */
declare const heldRequests: { allow(): void; deny(): void }[]
declare const openedTracks: MediaStreamTrack[]

/** Lets each request of a page for the microphone wait until the test allows or denies it. */
export async function holdMicrophone(page: Page) {
  await page.evaluate(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    const requests: typeof heldRequests = []
    const tracks: typeof openedTracks = []
    mediaDevices.getUserMedia = (constraints) =>
      new Promise((resolve, reject) => {
        const take = (stream: MediaStream) => {
          tracks.push(...stream.getTracks())
          resolve(stream)
        }
        requests.push({
          allow: () => void open(constraints).then(take, reject),
          deny: () => reject(new DOMException('denied by the test', 'NotAllowedError')),
        })
      })
    Object.assign(window, { heldRequests: requests, openedTracks: tracks })
  })
  return {
    requests: () => page.evaluate(() => heldRequests.length),
    /** @param index of the request. */
    allow: (index: number) => page.evaluate((index) => heldRequests[index]!.allow(), index),
    /** @param index of the request. */
    deny: (index: number) => page.evaluate((index) => heldRequests[index]!.deny(), index),
    /** Whether one of the microphones that the page has opened is still open. */
    isOpen: () => page.evaluate(() => openedTracks.some(({ readyState }) => readyState === 'live')),
  }
}
