"use strict";
// What the data of an attention page say: the weights of every head, by pieces or by words.

// Rows attend to columns. `bos` and `eos` tell on which end of a side a special piece stands alone.
const SOURCE = { pieces: "source_pieces", bos: false, eos: true };
const READ = { pieces: "read_pieces", bos: true, eos: false };
const PREDICTED = { pieces: "predicted_pieces", bos: false, eos: true };
const attentionKinds = [
  { name: "Encoder self", rows: SOURCE, columns: SOURCE, row: "from", column: "to",
    about: "Each row is a token of the source, its colours are what it takes from the others. A row adds up to 1." },
  { name: "Decoder self", rows: READ, columns: READ, row: "from", column: "to", causal: true,
    about: "Each row is a token that the decoder has just read. It sees itself and what came before; what is still to come is hatched. A row adds up to 1." },
  { name: "Decoder–source", rows: PREDICTED, columns: SOURCE, row: "predicted", column: "source",
    about: "Each row is the token to be predicted, its colours are the source tokens that the decoder looks at for it. A row adds up to 1." },
];

function attentionNumbers(data) {
  const decoded = new Map();
  function weights(sentence, kind) {
    const key = sentence + "/" + kind;
    if (!decoded.has(key)) {
      const bytes = Uint8Array.from(atob(data.sentences[sentence].maps[kind].values), c => c.charCodeAt(0));
      decoded.set(key, new Float32Array(bytes.buffer));
    }
    return decoded.get(key);
  }

  // One head's weights, or the mean of a layer's heads (head 0), by pieces.
  function pieceMatrix(sentence, kind, layer, head) {
    const { rows, columns } = data.sentences[sentence].maps[kind];
    const all = weights(sentence, kind), size = rows * columns;
    const first = (layer - 1) * data.heads * size;
    if (head > 0) return all.subarray(first + (head - 1) * size, first + head * size);
    const mean = new Float64Array(size);
    for (let h = 0; h < data.heads; ++h) for (let i = 0; i < size; ++i) mean[i] += all[first + h * size + i] / data.heads;
    return mean;
  }

  // Tokens of one side: pieces, or the words that they spell, each with its range of pieces.
  function tokens(shown, side) {
    const pieces = data.sentences[shown.sentence][side.pieces];
    const groups = [];
    pieces.forEach((piece, i) => {
      const special = (side.bos && i === 0) || (side.eos && i === pieces.length - 1);
      const begins = shown.tokens === "pieces" || special || piece.startsWith("▁") || i === 0 ||
        (side.bos && i === 1);
      if (begins) groups.push({ text: "", begin: i, end: i });
      const group = groups[groups.length - 1];
      group.text += shown.tokens === "words" && !special ? piece.replaceAll("▁", "") : piece;
      group.end = i + 1;
    });
    return groups;
  }

  // A word looks at another as its pieces do on average, at all pieces of that other together.
  // `shown` names the sentence and the tokens.
  function matrix(shown, kind, layer, head) {
    const { rows: rowSide, columns: columnSide, causal } = attentionKinds[kind];
    const pieces = pieceMatrix(shown.sentence, kind, layer, head);
    const rows = tokens(shown, rowSide), columns = tokens(shown, columnSide);
    const width = data.sentences[shown.sentence].maps[kind].columns;
    const values = rows.map(row => columns.map(column => {
      let sum = 0;
      for (let i = row.begin; i < row.end; ++i) for (let j = column.begin; j < column.end; ++j) sum += pieces[i * width + j];
      return sum / (row.end - row.begin);
    }));
    const masked = (i, j) => Boolean(causal) && columns[j].begin >= rows[i].end;
    return { rows, columns, values, masked };
  }

  return { matrix };
}
