// What a person can mend: the sentence is for them, and no stack goes with it.
export class OperatorMistake extends Error {
  override name = 'OperatorMistake'
}
