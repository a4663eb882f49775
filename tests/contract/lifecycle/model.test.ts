import { longer } from '../../builders/platform/longer.ts'
import { lifecycleModel } from './modelled.ts'

lifecycleModel(longer(40))
