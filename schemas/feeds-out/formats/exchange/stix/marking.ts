/**
 * The definitions of TLP 2.0 that FIRST and OASIS have fixed, ids and times included. What not everybody may read is
 * AMBER, whoever may: names of groups never leave (decisions 15.3).
 */
const EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d'

export type Marking = { id: string; name: string; level: string }

const CLEAR: Marking = {
  id: 'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487',
  name: 'TLP:CLEAR',
  level: 'clear',
}
const AMBER: Marking = {
  id: 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421',
  name: 'TLP:AMBER',
  level: 'amber',
}

/** The marking of all that a feed says. */
export const markingFor = (isPublic: boolean): Marking => (isPublic ? CLEAR : AMBER)

/** What stands in a definition beside its type and id. */
export const definitionOf = ({ name, level }: Marking): object => ({
  created: '2022-10-01T00:00:00.000Z',
  name,
  extensions: { [EXTENSION]: { extension_type: 'property-extension', tlp_2_0: level } },
})
