import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { expect, it } from 'vitest'
import { SpeakerPage } from './speaker-page.ts'

it('a page that is closed sends nothing more to its browsers', async () => {
  const http = await startFakeHttpRed()
  const page = new SpeakerPage(http.RED, 'kitchen')
  const sent: string[] = []
  page.connect('tablet', {
    address: '192.168.1.2',
    activeAt: 0,
    send: (json) => sent.push(json),
    beat: () => sent.push('beat'),
    end: () => sent.push('end'),
    onClose() {},
  })
  page.close()
  await new Promise(setImmediate)
  expect([sent, page.connected]).toEqual([['end'], 0])
  page.display.hideQuestion('q')
  expect(sent).toEqual(['end'])
  await http.close()
})
