#define SIZE 3
