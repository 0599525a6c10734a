// The letters of passwords that everybody tries first, with 12 characters or more once digits are added.
export const commonPasswords: ReadonlySet<string> = new Set(
  `password passwords passw parol parolparol пароль парольпароль qwerty qwertyuiop qwertyuiopasdf йцукен йцукенгшщзхъ
  asdfghjkl asdfghjklzxc zxcvbnm abc abcd abcdef abcdefgh abcdefghijkl admin administrator root letmein welcome
  iloveyou monkey dragon football baseball sunshine princess superman master login access changeme secret default
  test testtest guest user demo ringproof correcthorsebatterystaple trustno whatever starwars google qazwsx qazwsxedc
  qazwsxedcrfv lovelove hellohello welcomewelcome password! маринамарина наташа любовь солнышко привет приветпривет
  москва россия спартак зенит`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
