import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const folder = fileURLToPath(new URL('../../../.github/workflows', import.meta.url))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

it('every action of others is pinned to a commit, with its version as a comment', () => {
  const used = readdirSync(folder).flatMap((file) =>
    [...read(file).matchAll(/uses: (.+)/g)].map(([, what]) => what!),
  )
  const others = used.filter((what) => !what.startsWith('./'))
  expect(others.length).toBeGreaterThan(3)
  for (const what of others)
    expect(what).toMatch(/^[\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

it('CI runs the merge gate on Node 20, 22 and 24', () => {
  const { tests } = parse(read('ci.yml')).jobs
  expect(tests.strategy.matrix).toEqual({ node: [20, 22, 24] })
  // biome-ignore lint/suspicious/noTemplateCurlyInString: how GitHub writes it
  expect(tests.container).toBe('node:${{ matrix.node }}-bookworm')
  expect(tests.steps.at(-1)).toEqual({ run: '.ci/run' })
})

interface Job {
  needs?: string
  permissions: Record<string, string>
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[]
}

describe('a release', () => {
  const jobs: Record<string, Job> = parse(read('release.yml')).jobs

  it('waits for the tests, which have no write permission', () => {
    const { tests, mode, ...others } = jobs
    expect(tests).toEqual({ uses: './.github/workflows/ci.yml', permissions: { contents: 'read' } })
    expect(mode?.needs).toBe('tests')
    for (const { needs } of Object.values(others)) expect(needs).toMatch(/^(mode|pack)$/)
  })

  it('runs scripts of dependencies only without write permissions and credentials', () => {
    for (const { permissions, steps = [] } of Object.values(jobs)) {
      const canWrite = Object.values(permissions).includes('write')
      for (const { uses, run, with: inputs } of steps) {
        if (canWrite) expect(run ?? '').not.toMatch(/npm ci(?! --ignore-scripts)|npm run build/)
        if (uses?.includes('checkout')) expect(inputs).toEqual({ 'persist-credentials': false })
      }
    }
  })

  it('packs manifests that state the address of the repository', () => {
    const steps = jobs['pack']?.steps ?? []
    const runs = steps.map(({ uses, run }) => run ?? uses?.replace(/@.*/, ''))
    expect(runs.slice(-3)).toEqual([
      'npm run build',
      'npm run release:addresses',
      'changesets/action/pack',
    ])
  })

  it('publishes what another job has packed', () => {
    const { pack, publish } = jobs
    expect(pack?.permissions).toEqual({ contents: 'read' })
    expect(publish?.permissions['id-token']).toBe('write')
    const last = publish?.steps?.at(-1)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: how GitHub writes it
    expect(last?.with).toEqual({ 'pack-dir-artifact-id': '${{ needs.pack.outputs.packed }}' })
  })
})

it('the image installs the versions of the lockfile, on a base image pinned by its digest', () => {
  const image = readFileSync(join(folder, '../../deploy/Dockerfile'), 'utf8')
  for (const [, base] of image.matchAll(/^FROM (\S+)/gm)) {
    expect(base).toMatch(/^(build|node:24-slim@sha256:[0-9a-f]{64})$/)
  }
  expect(image).toContain('npm ci --omit=dev')
  expect(image).not.toContain('npm install')
})

it('the image contains each package of this repository that the service needs, built', () => {
  const image = readFileSync(join(folder, '../../deploy/Dockerfile'), 'utf8')
  const manifestOf = (name: string) =>
    JSON.parse(readFileSync(join(folder, `../../packages/${name}/package.json`), 'utf8'))
  const needed = new Set<string>()
  const add = (name: string) => {
    needed.add(name)
    const { dependencies = {} } = manifestOf(name)
    for (const dependency of Object.keys(dependencies)) {
      if (dependency.startsWith('@parlando/')) add(dependency.slice('@parlando/'.length))
    }
  }
  add('local-service')
  const [, build = ''] = /^RUN npm run build (.*)$/m.exec(image) ?? []
  const [, install = ''] = /^RUN npm ci --omit=dev (.*)$/m.exec(image) ?? []
  for (const name of needed) {
    expect(image).toContain(`COPY --from=build /app/packages/${name} /app/packages/${name}\n`)
    expect(`${install} `).toContain(`--workspace packages/${name} `)
    if (manifestOf(name).scripts?.build)
      expect(`${build} `).toContain(`--workspace packages/${name} `)
  }
})

it('the image installs again only after a change of dependencies: from the manifests alone', () => {
  const image = readFileSync(join(folder, '../../deploy/Dockerfile'), 'utf8')
  const [beforeInstall = ''] = image.split('\nRUN npm ci ')
  expect(beforeInstall).not.toContain('COPY . .')
  expect(beforeInstall).toContain('COPY package.json package-lock.json ./\n')
  for (const name of readdirSync(join(folder, '../../packages'))) {
    const manifest = `packages/${name}/package.json`
    expect(`${beforeInstall}\n`).toContain(`COPY ${manifest} packages/${name}/\n`)
  }
})

it('the image is built without the files that git ignores', () => {
  const read = (path: string) =>
    readFileSync(join(folder, '../..', path), 'utf8')
      .trim()
      .split('\n')
  // Docker reads a pattern from the root of its context, git one without a slash in each folder.
  const ignored = read('.gitignore').map((pattern) =>
    pattern
      .replace(/\/$/, '')
      .replace(/^(?!\/)/, '**/')
      .replace(/^\//, ''),
  )
  expect(read('deploy/Dockerfile.dockerignore')).toEqual(expect.arrayContaining(ignored))
})

it('the nightly run includes every test, real models and systems, the soak and more fuzz cases', () => {
  const { matrix } = parse(read('nightly.yml')).jobs.tests.strategy
  const commands: string[] = matrix.include.map(({ command }: { command: string }) => command)
  expect(commands).toEqual(
    expect.arrayContaining([
      'npm run test:all',
      'npm run test:models',
      'npm run test:systems',
      'npm run soak -- --minutes 60',
      'npm run fuzz -- --cases 1000000 wire',
      'npm run fuzz -- --cases 100000 service',
      'npm run fuzz -- --cases 100000 nodes flows',
      "env --unset=CI .ci/without-programs sh -c 'npm run test:slow && npm test'",
    ]),
  )
  const { scripts } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8'))
  const used = commands.flatMap((command) => /npm run (\S+)/.exec(command)?.[1] ?? [])
  expect(used.length).toBeGreaterThan(6)
  for (const script of used) expect(scripts).toHaveProperty(script)
  // The workflow of a change runs a part of these tests on that Node.
  const oldest = matrix.include.find(({ command }: { command: string }) =>
    command.includes('=change'),
  )
  expect(oldest.container).toBe('node:20-bookworm')
})
