import { longer } from '../../builders/platform/longer.ts'
import { teamModel } from './modelled.ts'

teamModel(longer(20))
