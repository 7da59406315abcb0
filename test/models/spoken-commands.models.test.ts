import { mkdirSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Client, createClient } from '@parlando/core'
import { type ChildService, startLocalServiceProcess } from '@parlando/local-service/process'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createScenes, type SpokenLanguage } from '../intelligibility/spoken-command-scenes.ts'
import { prepareOnce } from './packages.ts'
import { writeWhisper } from './whisper/whisper.ts'

const count = Number(process.env['PARLANDO_SPOKEN_COMMANDS'] || 40)
const timeout = 7_200_000
const languages: readonly SpokenLanguage[] = [
  {
    language: 'de-DE',
    words: ['stopp', 'okay', 'später', 'noch einmal'],
    frames: [
      'Auf dem Schild an der Tür steht {}, und niemand liest es.',
      'Er sagte {}, und dann ging er ohne Schirm aus dem Haus.',
      'Ruf mich {} an, wenn es klingelt. Das Paket soll mittags kommen.',
      'Das Essen ist fertig. {}. Es steht auf dem Tisch in der Küche.',
      'Es regnet. Sag {}. Das Fenster im Schlafzimmer ist offen.',
    ],
    commands: [
      ['stopp', 'stop'],
      ['okay', 'acknowledge'],
      ['später', 'later'],
      ['noch einmal', 'again'],
      ['in Ordnung', 'acknowledge'],
      ['erinnere mich später', 'later'],
    ],
  },
  {
    language: 'es-ES',
    words: ['para', 'vale', 'más tarde', 'otra vez'],
    frames: [
      'En la puerta hay un letrero que dice {}, y nadie lo lee.',
      'La cena está lista. {}. Está en la mesa de la cocina.',
      'Llámame {} si suena el timbre. El paquete llega al mediodía.',
    ],
    commands: [
      ['silencio', 'stop'],
      ['de acuerdo', 'acknowledge'],
      ['más tarde', 'later'],
      ['otra vez', 'again'],
    ],
  },
  {
    language: 'fr-FR',
    words: ['stop', "d'accord", 'plus tard', 'encore'],
    frames: [
      'Sur la porte, il y a un panneau qui dit {}, et personne ne le lit.',
      'Le dîner est prêt. {}. Il est sur la table de la cuisine.',
      'Appelle-moi {} si on sonne. Le colis doit arriver à midi.',
    ],
    commands: [
      ['silence', 'stop'],
      ["d'accord", 'acknowledge'],
      ['plus tard', 'later'],
      ['encore une fois', 'again'],
    ],
  },
]

describe.each(languages)('spoken commands in $language, with Whisper base', (spoken) => {
  let dataFolder: string
  let service: ChildService
  let client: Client
  let scenes: ReturnType<typeof createScenes>
  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'parlando-models-'))
    const models = join(dataFolder, 'models')
    mkdirSync(models)
    const whisper = await prepareOnce('whisper-base', writeWhisper)
    symlinkSync(whisper, join(models, basename(whisper)))
    const apiKey = keys.service
    service = await startLocalServiceProcess({
      apiKey,
      dataFolder,
      enginesFolder: optionalEnginesFolder,
      warmUp: false,
    })
    const patience = { firstByteTimeoutMs: 600_000, silenceTimeoutMs: 600_000 }
    client = createClient({ baseUrl: service.baseUrl, apiKey, ...patience })
    const code = spoken.language.slice(0, 2).toUpperCase()
    const { voices } = await client.listVoices()
    const own = voices.filter(({ langCode }) => langCode?.startsWith(code))
    expect(own).not.toEqual([])
    scenes = createScenes(client, spoken, own, count)
  }, timeout)
  afterAll(async () => {
    await client?.close()
    await service?.close()
    await rm(dataFolder, { recursive: true, force: true })
  })

  it('are not heard in announcements that contain them', { timeout }, async () => {
    expect(await scenes.listenAlone()).toEqual([])
  })

  it('are understood over an announcement, and none as another', { timeout }, async () => {
    const { wrong } = await scenes.listenToCommands()
    expect(wrong).toEqual([])
  })
})
