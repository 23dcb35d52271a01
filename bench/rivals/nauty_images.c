/* Canonical labellings by nauty, timed: the rival of `orbit bench images`.
 *
 * Usage: nauty_images time SECONDS | nauty_images classes   (graphs on standard input)
 *
 * Input, all numbers in decimal: how many graphs; then for each graph its number of vertices and
 * of arcs, a colour for each vertex, and from and to for each arc.
 *
 * `time` prepares every graph in the forms that nauty wants, then goes round them with each method
 * for at least SECONDS of CPU time and prints a line `METHOD IMAGES CPU_SECONDS` for each.
 * `classes` prints a number for each graph, equal (up to collisions of 64 bits) exactly for
 * isomorphic graphs with equal colours.
 *
 * Methods: sparse and dense nauty, each with the vertex invariant that nauty sets by default for
 * digraphs and without it. Dense nauty is run on at most 128 vertices. Compiled with MAXN=64 and
 * linked with the library made for that, only graphs of at most 64 vertices can be read, and
 * dense nauty is faster.
 */
#include <nauty/nauty.h>
#include <nauty/nausparse.h>
#include <nauty/nautinv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DENSE_VERTICES_MAX 128

typedef struct {
    int n, m, n_arcs;
    int *colour;    /* by vertex */
    int *lab, *ptn; /* the partition by colour, as nauty writes it */
    sparsegraph sparse;
    graph *dense; /* NULL if there are too many vertices */
} drawing;

static int *scratch_lab, *scratch_ptn, *orbits;
static sparsegraph sparse_image;
static graph *dense_image;

static void *taken(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return p;
}

static int number(void)
{
    int x;
    if (scanf("%d", &x) != 1) {
        fprintf(stderr, "a number is missing\n");
        exit(2);
    }
    return x;
}

static const int *sort_colours;

static int by_colour(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    if (sort_colours[x] != sort_colours[y])
        return sort_colours[x] < sort_colours[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void read_drawing(drawing *d)
{
    int i, *from, *to;
    d->n = number();
    d->n_arcs = number();
    if (MAXN && d->n > MAXN)
        exit(3);
    d->m = SETWORDSNEEDED(d->n);
    d->colour = taken(d->n, sizeof(int));
    d->lab = taken(d->n, sizeof(int));
    d->ptn = taken(d->n, sizeof(int));
    for (i = 0; i < d->n; i++) {
        d->colour[i] = number();
        d->lab[i] = i;
    }
    sort_colours = d->colour;
    qsort(d->lab, d->n, sizeof(int), by_colour);
    for (i = 0; i < d->n; i++)
        d->ptn[i] = i + 1 < d->n && d->colour[d->lab[i]] == d->colour[d->lab[i + 1]];
    from = taken(d->n_arcs, sizeof(int));
    to = taken(d->n_arcs, sizeof(int));
    SG_INIT(d->sparse);
    SG_ALLOC(d->sparse, d->n, d->n_arcs, "sparse graph");
    d->sparse.nv = d->n;
    d->sparse.nde = d->n_arcs;
    memset(d->sparse.d, 0, d->n * sizeof(int));
    for (i = 0; i < d->n_arcs; i++) {
        from[i] = number();
        to[i] = number();
        d->sparse.d[from[i]]++;
    }
    for (i = 0; i < d->n; i++)
        d->sparse.v[i] = i ? d->sparse.v[i - 1] + d->sparse.d[i - 1] : 0;
    memset(d->sparse.d, 0, d->n * sizeof(int));
    for (i = 0; i < d->n_arcs; i++)
        d->sparse.e[d->sparse.v[from[i]] + d->sparse.d[from[i]]++] = to[i];
    if (d->n <= DENSE_VERTICES_MAX) {
        d->dense = taken((size_t)d->n * d->m, sizeof(graph));
        for (i = 0; i < d->n_arcs; i++)
            ADDONEARC(d->dense, from[i], to[i], d->m);
    }
    free(from);
    free(to);
}

static void start(const drawing *d)
{
    memcpy(scratch_lab, d->lab, d->n * sizeof(int));
    memcpy(scratch_ptn, d->ptn, d->n * sizeof(int));
}

static void label_sparse(drawing *d, int with_invariant)
{
    DEFAULTOPTIONS_SPARSEDIGRAPH(options);
    statsblk stats;
    options.getcanon = TRUE;
    options.defaultptn = FALSE;
    if (!with_invariant)
        options.invarproc = NULL;
    start(d);
    sparsenauty(&d->sparse, scratch_lab, scratch_ptn, orbits, &options, &stats, &sparse_image);
}

static void label_dense(drawing *d, int with_invariant)
{
    DEFAULTOPTIONS_DIGRAPH(options);
    statsblk stats;
    options.getcanon = TRUE;
    options.defaultptn = FALSE;
    if (!with_invariant)
        options.invarproc = NULL;
    start(d);
    densenauty(d->dense, scratch_lab, scratch_ptn, orbits, &options, &stats, d->m, d->n,
               dense_image);
}

static void time_method(const char *name, void (*label)(drawing *, int), int with_invariant,
                        drawing *all, int n, double seconds)
{
    long images = 0;
    double used;
    int i = 0;
    clock_t begin = clock();
    do {
        int k;
        for (k = 0; k < 16; k++) {
            label(&all[i], with_invariant);
            i = i + 1 < n ? i + 1 : 0;
        }
        images += 16;
        used = (double)(clock() - begin) / CLOCKS_PER_SEC;
    } while (used < seconds);
    printf("%s %ld %.6f\n", name, images, used);
    fflush(stdout);
}

static unsigned long long mixed(unsigned long long hash, unsigned long long x)
{
    hash = (hash ^ x) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 29);
}

static void print_class(drawing *d)
{
    unsigned long long hash = 1;
    int i, j;
    label_sparse(d, 1);
    sortlists_sg(&sparse_image);
    for (i = 0; i < d->n; i++) {
        hash = mixed(hash, d->colour[scratch_lab[i]]);
        for (j = 0; j < sparse_image.d[i]; j++)
            hash = mixed(hash, sparse_image.e[sparse_image.v[i] + j] + 1000);
    }
    printf("%llu\n", hash);
}

int main(int argc, char **argv)
{
    int n, i, dense = 1, n_max = 1;
    drawing *all;
    if (argc < 2)
        return 2;
    n = number();
    all = taken(n, sizeof(drawing));
    for (i = 0; i < n; i++) {
        read_drawing(&all[i]);
        dense = dense && all[i].dense;
        n_max = all[i].n > n_max ? all[i].n : n_max;
    }
    nauty_check(WORDSIZE, SETWORDSNEEDED(n_max), n_max, NAUTYVERSIONID);
    scratch_lab = taken(n_max, sizeof(int));
    scratch_ptn = taken(n_max, sizeof(int));
    orbits = taken(n_max, sizeof(int));
    dense_image = taken((size_t)n_max * SETWORDSNEEDED(n_max), sizeof(graph));
    SG_INIT(sparse_image);
    if (!strcmp(argv[1], "classes")) {
        for (i = 0; i < n; i++)
            print_class(&all[i]);
    } else if (!strcmp(argv[1], "time") && argc == 3) {
        double seconds = atof(argv[2]);
        time_method("sparse+invariant", label_sparse, 1, all, n, seconds);
        time_method("sparse", label_sparse, 0, all, n, seconds);
        if (dense) {
            time_method("dense+invariant", label_dense, 1, all, n, seconds);
            time_method("dense", label_dense, 0, all, n, seconds);
        }
    } else {
        return 2;
    }
    return 0;
}
