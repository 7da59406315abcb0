import { createRandom } from '@parlando/test-support/vitest/random'

/** Entries are apart by a line break, or by a comma and a space. */
const listOf = (text: string) => text.trim().split(/,\s+|\s*\n\s*/)

/** What stands in a sentence for `{name}`. */
const lists: Readonly<Record<string, readonly string[]>> = {
  room: listOf(`
    kitchen, living room, bedroom, bathroom, hallway, attic, basement, garage, office, nursery, guest room, laundry room
    dining room, pantry, conservatory, porch, patio, garden, terrace, corridor, workshop, playroom, wine cellar, loft, den
  `),
  thing: listOf(`
    washing machine, dishwasher, tumble dryer, robot vacuum, lawn mower, air purifier, dehumidifier, heat pump, boiler
    thermostat, doorbell, smoke detector, motion sensor, ceiling fan, floor lamp, chandelier, garage door, roller blind
    water heater, coffee machine, kettle, toaster, microwave, refrigerator, freezer, wallbox, inverter, battery storage
    sprinkler, pool pump, aquarium light, baby monitor, printer, router, security camera, humidifier, radiator, awning
  `),
  product: listOf(`
    TRÅDFRI E27, IKEA FYRTUR, Philips Hue Go, Shelly Plus 1PM, Aqara T1, Sonos One, Roomba i7, ESP32, Raspberry Pi 4
    Zigbee2MQTT, iPhone 15, MacBook, LG C2, Echo Dot, Nest Hub, SNZB-02, Tuya TS0601, Nanoleaf, FRITZ!Box 7590, Xiaomi
    Eve Energy, Netatmo, Nuki, Ecobee, Govee, WLED, Fronius, SolarEdge, Tesla, Miele, Bosch, Dyson V11, PlayStation 5
    Wi-Fi 6E, USB-C, GU10, HVAC, NAS, UPS, LED strip, livingRoomLamp, bedroomBlind, TV, HomePod, KNX, MQTT, Bluetooth
  `),
  person: listOf(`
    Anna, Siobhan, Nguyen, Joaquin, Chloe, Mateusz, Aisha, Giovanni, Jürgen, Zoë, Björn, Priya, Xavier, Yuki, Olga, Sean
    Mr. Smith, Mrs. O'Neill, Dr. Schmidt, Ms. Garcia, Prof. Kowalski, Beatrice, Hannah, Liam, Emma, Noah, Ibrahim, Wei
    Grandma, Aunt Mary, Uncle Bob, the plumber, the neighbors, your mother, the babysitter, DeShawn, McDonald, Kaitlyn
  `),
  place: listOf(`
    5 Elm St., 42 Oak Ave., 221B Baker Street, 17 Maple Drive, 9 Sunset Blvd., 1200 Main St., 5th Avenue, Park Rd.
    Hauptstr. 12, Königsallee 7, Rue de Rivoli, Via Roma 3, Calle Mayor 8, Abbey Road, Lombard Street, Penny Lane
    St. Louis, Leicester, Worcester, Edinburgh, San José, Zürich, Köln, Bordeaux, Connecticut, Des Moines, La Jolla
    Schenectady, Poughkeepsie, Tucson, Albuquerque, the station, the supermarket, the pharmacy, the school, platform 9
  `),
  food: listOf(`
    oat milk, eggs, sourdough bread, bananas, yogurt, spaghetti, mozzarella, coriander, paprika, quinoa, avocado, tofu
    potatoes, cinnamon, espresso beans, baking powder, olive oil, parmesan, croissants, chickpeas, zucchini, gnocchi
  `),
  music: listOf(`
    Beethoven, Beyoncé, The Beatles, Dvořák, Björk, Radiohead, Vivaldi, Adele, AC/DC, U2, Debussy, ABBA, Coldplay, jazz
    the news, the audiobook, the podcast, lo-fi beats, classical music, Christmas songs, Radio 4, BBC News, NPR, KEXP
  `),
  weather: listOf(`
    sunny, cloudy, partly cloudy, foggy, windy, stormy, freezing, humid, drizzling, snowing, hailing, clear, overcast
  `),
  day: listOf(
    'Monday, Tue., Wednesday, Thursday, Fri., Saturday, Sunday, tomorrow, today, tonight',
  ),
  date: listOf(`
    2026-11-23, Dec. 24, May 3, 11/23/2026, 1 January, the 22nd of June, Sept 5, 31 October 2027, July 4th, 07/04/26
  `),
  task: listOf(`
    take out the trash, water the plants, feed the cat, call the dentist, pick up the children, defrost the chicken
    descale the kettle, charge the scooter, pay the rent, walk the dog, clean the filter, change the sheets, buy a gift
    measure the window, sew the curtain, mow the lawn, sweep the chimney, knead the dough, iron the shirts, bleed the radiators
  `),
  state: listOf(
    'on, off, open, closed, locked, unlocked, offline, idle, ready, done, jammed, paused, charging',
  ),
  unit: listOf(
    'kWh, W, kW, %, °C, °F, ppm, hPa, lx, dB, km/h, mph, mm, l, kg, V, A, MB, Mbit/s, µg/m³, min, hours',
  ),
  currency: listOf('$3.50, €12, £0.99, 5,20 €, $1,299, 0.32 €/kWh, $45, £2.75, CHF 8, 99 ct'),
}

const templates = `
  The {thing} in the {room} is {state}.
  The {thing} in the {room} has been {state} since {time}.
  It is {number} {unit} in the {room}.
  The {product} in the {room} reports {decimal} {unit}.
  {person} is at the front door.
  {person} will arrive at {time} from {place}.
  Please {task} before {time}.
  Don't forget to {task} on {day}!
  Good morning {person}; it's {time} and {weather} outside.
  The next train to {place} leaves at {time} from platform {digit}.
  Dinner with {person} is on {date} at {time}.
  Your parcel for {place} arrives {day} between {time} and {time}.
  Turn the {thing} {state} when nobody is in the {room}.
  The battery of the {product} is at {number} %.
  Now playing {music} in the {room}.
  We are out of {food} and {food}.
  Add {digit} {food} to the shopping list.
  The {product} lost its connection {number} minutes ago.
  It will be {weather} with {number} °F and wind of {number} mph.
  Low of -{digit} °C tonight; close the windows in the {room}.
  The electricity cost {currency} {day}.
  Solar made {decimal} kWh {day}.
  {person} paid {currency} for the {thing}.
  Motion was detected in the {room} at {time}.
  Is the {thing} in the {room} still {state}?
  "{person} called at {time}", said {person}.
  The timer for the {food} has {number} seconds left.
  Who left the {thing} {state} near {place}?
  The {digit}th alarm of {date} came from the {product}.
  Warning: the {thing} needs maintenance by {date}.
  Reading {music} to {person} in the {room} takes {number} minutes.
  {person}'s phone is {number} km away from {place}.
  Firmware {digit}.{digit}.{digit} for the {product} is available.
  The {room} lights were dimmed to {number}%.
  If you use the {thing}, {task} first.
  I can't reach the {product}; shall I try again at {time}?
`
  .trim()
  .split(/\s*\n\s*/)

const numbers: Readonly<Record<string, (random: () => number) => string>> = {
  digit: (random) => String(2 + Math.floor(random() * 8)),
  number: (random) => String(Math.floor(random() * 120)),
  decimal: (random) => (random() * 40).toFixed(1),
  time(random) {
    const [hours, minutes] = [Math.floor(random() * 24), Math.floor(random() * 12) * 5]
    const two = String(minutes).padStart(2, '0')
    return random() < 0.5
      ? `${hours}:${two}`
      : `${(hours % 12) + 1}:${two} ${hours < 12 ? 'am' : 'pm'}`
  },
}

/** @returns different sentences that a home says, the same in every run: times, temperatures, names, streets, devices. */
export function makeHomeSentences(count: number): string[] {
  const random = createRandom(2026)
  const choose = (list: readonly string[]) => list[Math.floor(random() * list.length)]!
  const fill = (_: string, name: string) => numbers[name]?.(random) ?? choose(lists[name]!)
  const sentences = new Set<string>()
  for (let index = 0; sentences.size < count; index++) {
    sentences.add(templates[index % templates.length]!.replace(/\{(\w+)\}/g, fill))
  }
  return [...sentences]
}
