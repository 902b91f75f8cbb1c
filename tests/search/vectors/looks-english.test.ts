import { describe, expect, it } from 'vitest';
import { looksEnglish } from '../../../src/search/vectors/looks-english.js';
import { createEmbedder } from '../../../src/search/vectors/embedder.js';
import { openEmbeddingTable } from '../../../src/search/vectors/embedding-table.js';
import { packedTable } from '../../fakes/packed-table.js';

const { vectorOf } = createEmbedder(openEmbeddingTable(packedTable()));

function isEnglish(text: string): boolean {
  const counts = { words: 0, odd: 0, known: 0 };
  vectorOf(text, counts);
  return looksEnglish(text, counts);
}

describe('looksEnglish', () => {
  it.each([
    'how do I reset my password',
    'token refresh',
    'JWT',
    'kubernetes ingress timeout',
    'The café was closed, so we met at the naïve painter’s résumé workshop.',
    '',
    '2026-11-20 14:00',
    'where did Caroline go in May',
    'die casting tools in the workshop',
  ])('accepts %j', (text) => {
    expect(isEnglish(text)).toBe(true);
  });

  it.each([
    'wie richte ich die Anmeldung ein',
    'comment réinitialiser le mot de passe',
    'cómo restablecer la contraseña de la cuenta',
    'come si reimposta la password del conto',
    'como redefinir a senha da minha conta não funciona',
    'hoe stel ik het wachtwoord opnieuw in',
    'hur återställer jag lösenordet',
    'jak zresetować hasło do konta',
    'şifremi nasıl sıfırlarım ve giriş yaparım',
    'cara mengatur ulang kata sandi untuk akun',
    'как сбросить пароль',
    'パスワードを再設定する方法',
    '如何重置密码',
    'كيف أعيد تعيين كلمة المرور',
    'पासवर्ड कैसे बदलें',
    'วิธีรีเซ็ตรหัสผ่าน',
    'Kündigungsfrist Mietvertrag',
  ])('rejects %j', (text) => {
    expect(isEnglish(text)).toBe(false);
  });

  it('ignores a quotation in another language', () => {
    expect(
      isEnglish(
        'We translated the sentence "wie richte ich das ein" and then it was clear to all of us what they had asked for.',
      ),
    ).toBe(true);
  });
});
