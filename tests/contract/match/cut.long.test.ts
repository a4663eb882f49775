import { CUTS, endsAt } from './cuts.ts'

endsAt(CUTS)
