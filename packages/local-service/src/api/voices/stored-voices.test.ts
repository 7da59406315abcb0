import { makeClonedVoice, useTestApp } from '@parlando/test-support/local-service/test-app'
import { beforeEach, describe, expect, it } from 'vitest'

const testApp = useTestApp()

const anna = {
  ...makeClonedVoice('anna-1_2').voice,
  name: 'workspaces/local/voices/anna-1_2',
  description: '',
  gender: '',
  ageGroup: '',
  tags: [],
  categories: [],
  promptLanguages: [],
}
const path = '/voices/v1/voices/local__anna-1_2'
beforeEach(async () => {
  await testApp.voiceList.clones.remove('local__anna-1_2').catch(() => {})
  await testApp.voiceList.clones.add(makeClonedVoice('anna-1_2'))
})

async function send(method: string, at: string, body?: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await testApp.app.request(at, { method, body: text })
  return { status: response.status, body: await response.json() }
}

describe('the service', () => {
  it('returns a library voice', async () => {
    const { status, body } = await send('GET', '/voices/v1/voices/Clara')
    expect(status).toBe(200)
    expect(body).toMatchObject({ voiceId: 'Clara', source: 'SYSTEM' })
  })

  it.each([
    path,
    path.replace('__', '%5F%5f'),
    path.replace('v1/', 'v1/workspaces/mine/'),
    `/voices/v1/${anna.name}`,
  ])('returns a cloned voice at %s', async (at) => {
    expect((await send('GET', at)).body).toEqual(anna)
  })

  it('changes only the fields in the request, with keys in either form', async () => {
    const change = { display_name: 'Anna', description: 'calm' }
    const { status, body } = await send('PATCH', path, change)
    const changed = {
      ...anna,
      displayName: 'Anna',
      description: 'calm',
    }
    expect([status, body]).toEqual([200, changed])
    expect((await send('PATCH', path, { tags: ['a', 'b'] })).body.tags).toEqual(['a', 'b'])
    expect((await send('PATCH', path, { tags: [], description: '' })).body).toEqual({
      ...changed,
      tags: [],
      description: '',
    })
    expect((await send('GET', path)).body.displayName).toBe('Anna')
  })

  it.each([
    [{}, /at least one of displayName, description and tags is required/],
    [{ displayName: ' ' }, /displayName must not be empty/],
    [{ displayName: 7 }, /displayName/],
    [{ tags: [''] }, /tags\.0 must not be empty/],
    [{ gender: 'male' }, /gender/],
    [{ description: 'a'.repeat(9000) }, /9\d\d\d characters together; the limit is 8000/],
    ['{"displayName":', /not JSON/],
    [{ description: 'a'.repeat(90_000) }, /larger than 65536 bytes/, 413],
  ])('rejects the change %j', async (change, message, expectedStatus = 400) => {
    const { status, body } = await send('PATCH', path, change)
    expect([status, body]).toEqual([
      expectedStatus,
      { code: 3, message: expect.stringMatching(message), details: [] },
    ])
    expect((await send('GET', path)).body).toEqual(anna)
  })

  it('rejects a change after which the texts together are too long', async () => {
    const changed = await send('PATCH', path, { displayName: 'a'.repeat(7900) })
    expect(changed.status).toBe(200)
    const { status, body } = await send('PATCH', path, { description: 'a'.repeat(7900) })
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(/15\d\d\d characters together; the limit is 8000/),
    ])
    expect((await send('GET', path)).body).toEqual(changed.body)
  })

  it('rejects one of two simultaneous changes after which the texts together are too long', async () => {
    const changes = [{ description: 'a'.repeat(5000) }, { tags: ['a'.repeat(5000)] }]
    const responses = await Promise.all(changes.map((change) => send('PATCH', path, change)))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const changed = responses.find(({ status }) => status === 200)!
    expect((await send('GET', path)).body).toEqual(changed.body)
  })

  it('deletes a cloned voice', async () => {
    expect(await send('DELETE', path)).toEqual({ status: 200, body: {} })
    for (const method of ['GET', 'DELETE']) {
      expect(await send(method, path)).toMatchObject({ status: 404, body: { code: 5 } })
    }
  })

  it('neither changes nor deletes a library voice', async () => {
    for (const method of ['PATCH', 'DELETE']) {
      const response = await send(
        method,
        '/voices/v1/voices/Clara',
        method === 'PATCH' ? {} : undefined,
      )
      expect(response).toMatchObject({ status: 403, body: { code: 7, message: /library/ } })
    }
  })

  it.each(['Nobody', '%E4', '..%2FClara', '__proto__', 'clara'])('has no voice %s', async (id) => {
    const response = await send('GET', `/voices/v1/voices/${id}`)
    expect(response).toMatchObject({ status: 404, body: { code: 5, message: /Unknown voice/ } })
  })
})
