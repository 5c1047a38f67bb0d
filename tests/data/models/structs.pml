/* typedef: fields, arrays of structs, structs in messages. */
typedef Point { byte x; short y };
typedef Line { Point from, to[2]; bit on };
Line l[2]; Point g;
chan c = [1] of {byte, Point};
active proctype P() {
  Point p; Line k;
  p.x = 3; p.y = -4;
  k.to[1].x = p.x; l[1].to[0].y = p.y; l[k.to[1].x - 2].from.x = 1;
  c!7, p;
  k.on = 1
}
active proctype Q() { Point r; byte n; c?n, r; g.x = r.x; g.y = r.y; assert(g.y == -4 && n == 7) }
