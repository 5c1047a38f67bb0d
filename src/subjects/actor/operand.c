/* operand.c: see operand.h. By the opcode maps of the x86-64 manual (Intel, volume 2, appendix A): the prefixes give the
 * common size, and for each map the opcodes whose memory operand has another one are listed. */
#include "subjects/actor/operand.h"

#if defined(__x86_64__)

typedef struct instruction {
  bool wide;       /* REX.W, VEX.W, EVEX.W */
  bool half;       /* 66 */
  bool vex;        /* VEX or EVEX */
  bool broadcast;  /* EVEX.b */
  unsigned repeat; /* F2 or F3, 0: neither */
  unsigned map;    /* 0: one byte; 1: 0F; 2: 0F 38; 3: 0F 3A */
  unsigned opcode;
  unsigned reg;  /* the middle bits of what follows the opcode */
  size_t common; /* of whole numbers */
  size_t vector;
} instruction;

static bool is_legacy_prefix(unsigned char byte) {
  return byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 || byte == 0x65 || byte == 0x67 ||
         byte == 0xf0;
}

/* What 66, F3, F2 stand for is two bits in VEX and EVEX. */
static void set_prefix(instruction *in, unsigned bits) {
  in->half = bits == 1;
  in->repeat = bits == 2 ? 0xf3 : bits == 3 ? 0xf2 : 0;
  in->vex = true;
}

static const unsigned char *read_vex(instruction *in, const unsigned char *at) {
  if (at[0] == 0xc5) {
    set_prefix(in, at[1] & 3);
    in->map = 1;
    in->vector = at[1] & 4 ? 32 : 16;
    return at + 2;
  }
  if (at[0] == 0xc4) {
    set_prefix(in, at[2] & 3);
    in->map = at[1] & 31;
    in->wide = at[2] & 0x80;
    in->vector = at[2] & 4 ? 32 : 16;
    return at + 3;
  }
  set_prefix(in, at[2] & 3);
  in->map = at[1] & 7;
  in->wide = at[2] & 0x80;
  in->broadcast = at[3] & 0x10;
  in->vector = (size_t)16 << ((at[3] >> 5) & 3);
  return at + 4;
}

static instruction read_instruction(const unsigned char *at) {
  instruction in = {.vector = 16};
  for (;; at++) {
    if (*at == 0x66)
      in.half = true;
    else if (*at == 0xf2 || *at == 0xf3)
      in.repeat = *at;
    else if (!is_legacy_prefix(*at))
      break;
  }
  if ((*at & 0xf0) == 0x40) in.wide = *at++ & 8;
  if (*at == 0xc4 || *at == 0xc5 || *at == 0x62) {
    at = read_vex(&in, at);
  } else if (*at == 0x0f) {
    in.map = at[1] == 0x38 ? 2 : at[1] == 0x3a ? 3 : 1;
    at += in.map == 1 ? 1 : 2;
  }
  in.opcode = at[0];
  in.reg = (at[1] >> 3) & 7;
  in.common = in.wide ? 8 : in.half && !in.vex ? 2 : 4;
  return in;
}

/* D8 to DF. */
static size_t x87_size(const instruction *in) {
  static const unsigned char sizes[8][8] = {
      {4, 4, 4, 4, 4, 4, 4, 4}, {4, 4, 4, 4, 28, 2, 28, 2},   {4, 4, 4, 4, 4, 4, 4, 4}, {4, 4, 4, 4, 4, 10, 4, 10},
      {8, 8, 8, 8, 8, 8, 8, 8}, {8, 8, 8, 8, 108, 8, 108, 2}, {2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 10, 8, 10, 8}};
  return sizes[in->opcode & 7][in->reg];
}

static size_t one_byte_size(const instruction *in) {
  unsigned op = in->opcode;
  if (op < 0x40) return op & 1 ? in->common : 1;
  if (op >= 0x50 && op < 0x60) return 8; /* push, pop */
  if (op >= 0xd8 && op <= 0xdf) return x87_size(in);
  switch (op) {
    case 0x80:
    case 0x82:
    case 0x84:
    case 0x86:
    case 0x88:
    case 0x8a:
    case 0xa0:
    case 0xa2:
    case 0xa4:
    case 0xa6:
    case 0xaa:
    case 0xac:
    case 0xae:
    case 0xc0:
    case 0xc6:
    case 0xd0:
    case 0xd2:
    case 0xf6:
    case 0xfe: return 1;
    case 0x8c:
    case 0x8e: return 2;
    case 0x63: return 4;
    case 0x68:
    case 0x6a:
    case 0x8f:
    case 0x9c:
    case 0x9d:
    case 0xc2:
    case 0xc3:
    case 0xc9:
    case 0xe8: return 8;
    case 0xff: return in->reg == 2 || in->reg == 4 || in->reg == 6 ? 8 : in->common; /* call, jump, push */
    default: return in->common;
  }
}

static size_t scalar_or_vector(const instruction *in) {
  return in->repeat == 0xf3 ? 4 : in->repeat == 0xf2 ? 8 : in->vector;
}

static size_t two_byte_size(const instruction *in) {
  unsigned op = in->opcode;
  if ((op >= 0x40 && op < 0x50 && !in->vex) || op == 0xa3 || op == 0xab || op == 0xb3 || op == 0xbb) return in->common;
  if (op == 0x10 || op == 0x11 || (op >= 0x51 && op < 0x60) || op == 0xc2) return scalar_or_vector(in);
  if (op >= 0x90 && op < 0xa0) return in->vex ? in->common : 1; /* setcc */
  switch (op) {
    case 0x12:
    case 0x16: return in->repeat == 0xf3 ? in->vector : 8;
    case 0x13:
    case 0x17:
    case 0xd6: return 8;
    case 0x2a:
    case 0x6e: return in->wide ? 8 : 4;
    case 0x2c:
    case 0x2d: return in->repeat == 0xf3 ? 4 : 8;
    case 0x2e:
    case 0x2f: return in->half ? 8 : 4;
    case 0x7e: return in->repeat == 0xf3 || in->wide ? 8 : 4;
    case 0xa4:
    case 0xa5:
    case 0xac:
    case 0xad:
    case 0xaf:
    case 0xb1:
    case 0xb8:
    case 0xba:
    case 0xbc:
    case 0xbd:
    case 0xc1:
    case 0xc3: return in->common;
    case 0xae: return in->reg == 2 || in->reg == 3 ? 4 : 512; /* mxcsr; fxsave and the like */
    case 0xb0:
    case 0xb6:
    case 0xbe:
    case 0xc0: return 1;
    case 0xb7:
    case 0xbf:
    case 0xc4: return 2;
    case 0xc7: return in->wide ? 16 : 8;
    default: break;
  }
  bool mmx = !in->vex && !in->half && !in->repeat && ((op >= 0x60 && op < 0x80) || op >= 0xd0);
  return mmx ? 8 : in->vector;
}

static size_t map_38_size(const instruction *in) {
  unsigned op = in->opcode;
  if (op >= 0x96 && op <= 0xbf && op & 1 && (op & 15) > 8) return in->wide ? 8 : 4; /* fused, of one number */
  switch (op) {
    case 0x20:
    case 0x30:
    case 0x23:
    case 0x33:
    case 0x25:
    case 0x35: return in->vector / 2;
    case 0x21:
    case 0x31:
    case 0x24:
    case 0x34: return in->vector / 4;
    case 0x22:
    case 0x32: return in->vector / 8;
    case 0x18:
    case 0x58: return 4;
    case 0x19:
    case 0x59: return 8;
    case 0x1a:
    case 0x5a: return 16;
    case 0x78: return 1;
    case 0x79: return 2;
    case 0xf0: return in->repeat == 0xf2 ? 1 : in->common;
    case 0xf1:
    case 0xf2:
    case 0xf3:
    case 0xf5:
    case 0xf6:
    case 0xf7: return in->common;
    default: return in->vector;
  }
}

static size_t map_3a_size(const instruction *in) {
  switch (in->opcode) {
    case 0x14:
    case 0x20: return 1;
    case 0x15: return 2;
    case 0x0a:
    case 0x17:
    case 0x21: return 4;
    case 0x0b: return 8;
    case 0x16:
    case 0x22:
    case 0xf0: return in->wide ? 8 : 4;
    case 0x18:
    case 0x19:
    case 0x38:
    case 0x39: return 16;
    default: return in->vector;
  }
}

eo_operand eo__operand_of(const void *code) {
  instruction in = read_instruction(code);
  eo_operand operand = {.copies = in.map == 0 && (in.opcode == 0xa4 || in.opcode == 0xa5)};
  if (in.broadcast)
    operand.size = in.wide ? 8 : 4;
  else if (in.map == 0)
    operand.size = one_byte_size(&in);
  else
    operand.size = in.map == 1 ? two_byte_size(&in) : in.map == 2 ? map_38_size(&in) : map_3a_size(&in);
  return operand;
}

#else

eo_operand eo__operand_of(const void *code) {
  (void)code;
  return (eo_operand){.size = sizeof(void *)};
}

#endif
