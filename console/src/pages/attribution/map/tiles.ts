/**
 * The world as tiles: each country and territory of ISO 3166-1 is one square, about where it is to its neighbours. Written by
 * hand, so that nothing of it has a licence of others, and small countries are seen as well as large ones (ADR 242).
 */
const ROWS = [
  '.. .. .. .. .. .. GL .. .. .. .. .. .. .. SJ .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. ..',
  '.. .. .. .. .. .. .. .. .. .. IS .. .. .. NO SE AX FI .. .. .. RU .. .. .. .. .. .. .. .. .. ..',
  '.. .. CA .. .. PM .. .. .. .. FO IE GB .. DK .. .. EE .. .. .. .. .. .. .. .. .. .. .. .. .. ..',
  '.. .. US .. .. .. .. .. .. .. IM JE GG NL DE PL LT LV BY .. .. KZ .. .. .. MN .. .. .. .. .. ..',
  '.. .. .. .. .. BM .. .. .. .. .. .. BE LU CZ SK UA MD .. .. .. UZ KG .. .. .. .. KP .. .. .. ..',
  '.. .. .. .. BS TC .. .. .. .. .. FR CH LI AT HU RO .. .. GE .. TM TJ .. .. CN .. KR JP .. .. ..',
  '.. MX .. CU HT DO PR VG .. .. AD MC IT SM SI HR RS BG .. AM AZ IR AF .. .. .. .. .. .. .. .. ..',
  '.. GT BZ KY JM VI AI MF .. PT ES GI VA .. BA ME MK GR TR SY IQ KW PK NP BT .. MO HK TW .. .. ..',
  '.. SV HN .. .. SX BL AG .. .. MA DZ TN .. MT AL XK .. CY LB JO BH QA IN BD MM LA VN .. .. .. ..',
  'UM .. NI .. .. KN MS GP .. EH MR ML NE LY EG .. .. .. IL PS SA AE .. .. .. TH KH .. PH .. MP ..',
  '.. .. CR PA .. DM MQ LC CV SN GM BF NG TD SD ER .. .. .. .. YE OM .. LK .. MY BN .. PW GU MH ..',
  '.. .. .. .. AW CW BQ VC BB GW GN GH TG BJ SS ET DJ .. .. .. .. .. MV .. SG ID TL .. .. FM NR KI',
  '.. .. .. CO VE .. GD TT .. SL LR CI CM CF UG KE SO .. .. .. .. .. .. .. .. .. .. PG SB .. TV TK',
  '.. .. EC PE GY SR GF .. .. .. ST GQ GA CG RW TZ .. SC .. .. .. .. CC CX .. .. .. .. VU FJ WF WS',
  '.. .. .. BO BR .. .. .. .. .. .. .. AO CD BI MW KM YT .. IO .. .. .. .. .. .. .. .. NC TO NU AS',
  '.. .. .. PY UY .. .. .. .. SH .. .. NA ZM ZW MZ MG MU RE .. .. .. .. .. .. .. AU .. NF .. CK PF',
  '.. .. CL AR .. .. .. .. .. .. .. .. .. BW SZ .. .. .. .. .. .. .. .. .. .. .. .. .. .. NZ .. PN',
  '.. .. .. .. .. .. .. .. .. .. .. .. .. ZA LS .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. ..',
  '.. .. .. FK GS .. .. .. .. BV .. .. .. .. .. .. .. .. TF .. HM .. .. .. .. .. .. .. .. .. .. ..',
  '.. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. AQ .. .. .. .. .. .. .. .. .. .. .. .. .. .. ..',
]

export type Tile = { code: string; column: number; row: number }

export const TILES: readonly Tile[] = ROWS.flatMap((line, row) =>
  line.split(' ').flatMap((code, column) => (code === '..' ? [] : [{ code, column, row }])),
)
export const COLUMNS = Math.max(...TILES.map(({ column }) => column)) + 1
export const TILE_ROWS = ROWS.length
