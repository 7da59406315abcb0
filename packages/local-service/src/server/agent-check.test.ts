import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openAgentCheck } from './agent-check.ts'

it('a proxy reads what the service can take, and that it will stop', async () => {
  let percent = 75
  const check = await openAgentCheck({ host: '127.0.0.1', port: 0, readPercent: () => percent })
  onTestFinished(() => check.close())
  const ask = async () => {
    const socket = connect(check.port, '127.0.0.1').setEncoding('utf8')
    const [line] = await once(socket, 'data')
    socket.destroy()
    return line
  }
  expect(await ask()).toBe('ready up 75%\n')
  percent = 0
  expect(await ask()).toBe('drain\n')
})
