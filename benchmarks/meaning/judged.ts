import * as fs from 'node:fs';
import * as path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A collection with its questions and, for each, which documents answer it and how well. */
export interface Judged<Document extends JudgedDocument = JudgedDocument> {
  readonly documents: readonly Document[];
  readonly queries: readonly JudgedQuery[];
}

export interface JudgedDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** A turn of a conversation. */
export interface Turn extends JudgedDocument {
  /** The turns before and after it. */
  readonly around: string;
}

export interface JudgedQuery {
  readonly text: string;
  readonly grades: ReadonlyMap<string, number>;
}

/** Where the data for measuring lie. */
export function dataFolder(): string {
  return process.env['SAVEPOINT_DATA'] ?? '../shared/data';
}

export function hasData(file: string): boolean {
  return fs.existsSync(path.join(dataFolder(), file));
}

export function readCollection(name: string): Judged {
  const folder = path.join(dataFolder(), 'ir', name);
  const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
  const corpus = gunzipSync(fs.readFileSync(path.join(folder, 'corpus.jsonl.gz'))).toString('utf8');
  const documents = lines(corpus).map((line) => {
    const { _id: id, title, text } = JSON.parse(line) as { _id: string; title: string; text: string };
    return { id, title, text };
  });
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines(fs.readFileSync(path.join(folder, 'qrels.tsv'), 'utf8'))) {
    const [query = '', document = '', grade = ''] = line.split('\t');
    const known = grades.get(query) ?? new Map<string, number>();
    grades.set(query, known.set(document, Number(grade)));
  }
  const queries = lines(fs.readFileSync(path.join(folder, 'queries.jsonl'), 'utf8')).flatMap((line) => {
    const { _id: id, text } = JSON.parse(line) as { _id: string; text: string };
    const own = grades.get(id);
    return own ? [{ text, grades: own }] : [];
  });
  return { documents, queries };
}

interface Conversation {
  readonly qa: readonly { readonly question: string; readonly evidence: readonly string[] }[];
  readonly conversation: Readonly<
    Record<string, string | readonly { speaker: string; dia_id: string; text: string; blip_caption?: string }[]>
  >;
}

/** Long conversations, a collection each: a document is a turn, a question is answered by the turns that hold its evidence. */
export function readConversations(): Judged<Turn>[] {
  const all = JSON.parse(fs.readFileSync(path.join(dataFolder(), 'locomo-first5.json'), 'utf8')) as readonly Conversation[];
  return all.map(({ qa, conversation }) => {
    const documents = Object.entries(conversation).flatMap(([key, turns]) => {
      if (typeof turns === 'string') return [];
      const began = conversation[`${key}_date_time`];
      const date = typeof began === 'string' ? began : '';
      const said = turns.map(({ text, blip_caption: picture }) => (picture ? `${text} ${picture}` : text));
      return turns.map(({ speaker, dia_id: id }, at) => ({
        id,
        title: `${speaker} ${date}`,
        text: said[at] ?? '',
        around: `${said[at - 1] ?? ''} ${said[at + 1] ?? ''}`,
      }));
    });
    const known = new Set(documents.map(({ id }) => id));
    const queries = qa.flatMap(({ question, evidence }) => {
      const ids = evidence.flatMap((entry) => entry.split(/[;\s]+/)).filter((id) => known.has(id));
      return ids.length > 0 ? [{ text: question, grades: new Map(ids.map((id) => [id, 1])) }] : [];
    });
    return { documents, queries };
  });
}

/** Normalised discounted gain of the first ten. */
export function gainAtTen(ids: readonly string[], grades: ReadonlyMap<string, number>): number {
  const gain = (values: readonly number[]) => values.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
  const ideal = gain([...grades.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ids.map((id) => grades.get(id) ?? 0)) / ideal;
}

/** The share of the answers that stand among the first `count`. */
export function recall(ids: readonly string[], grades: ReadonlyMap<string, number>, count: number): number {
  return ids.slice(0, count).filter((id) => (grades.get(id) ?? 0) > 0).length / [...grades.values()].filter((grade) => grade > 0).length;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
