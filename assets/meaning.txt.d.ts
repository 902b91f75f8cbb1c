/** The packed table of meanings, as text. */
declare const packed: string;
export default packed;
