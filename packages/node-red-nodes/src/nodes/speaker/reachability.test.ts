import { RED } from '@parlando/test-support/node-red/fake-red'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { explainNotFetched } from './reachability.ts'

it('names the network of the player if Node-RED responds at the address', async () => {
  const { baseUrl } = await startTestServer((response) => void response.writeHead(404).end())
  const error = await explainNotFetched(RED, { url: `${baseUrl}/x.mp3`, warning: undefined })
  expect(error.code).toBe('NOT_FETCHED')
  expect(error.message).toBe(
    `speaker.test.not-fetched {"address":"${baseUrl}"} speaker.test.check-network {"address":"${baseUrl}"}`,
  )
})

it('names the address if nothing responds there', async () => {
  const url = `${unreachableUrl}/x.mp3`
  const { message } = await explainNotFetched(RED, { url, warning: undefined })
  expect(message).toContain('speaker.test.check-address')
})

it('names what is wrong with the address if that is known', async () => {
  const url = `${unreachableUrl}/x.mp3`
  const { message } = await explainNotFetched(RED, { url, warning: 'container' })
  expect(message).toContain('address.warning.container')
})

it('names the address if it is none', async () => {
  const url = 'my server/x.mp3'
  const { message } = await explainNotFetched(RED, { url, warning: undefined })
  expect(message).toContain('speaker.test.check-address {"address":"my server/x.mp3"}')
})
