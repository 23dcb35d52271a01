// SYNTAX TEST "source.promela" "the words of a model"

#define N 3
// <------- keyword.control.directive.promela
//        ^ constant.numeric.promela

mtype = { red, green };
// <----- storage.type.promela

active [N] proctype user(byte id) {
// <------ storage.modifier.promela
//         ^^^^^^^^ storage.type.promela
//                  ^^^^ entity.name.function.promela
//                       ^^^^ storage.type.promela
again:
// <----- entity.name.label.promela
    if :: x == 1 -> printf("%d\n", _pid) fi;
//  ^^ keyword.control.promela
//     ^^ keyword.operator.promela
//          ^^ keyword.operator.promela
//                  ^^^^^^ support.function.promela
//                          ^^ constant.other.placeholder.promela
//                                 ^^^^ constant.language.promela
//                                       ^^ keyword.control.promela
    goto again /* a comment */
//  ^^^^ keyword.control.promela
//       ^^^^^ entity.name.label.promela
//             ^^^^^^^^^^^^^^^ comment.block.promela
}
ltl fair { [] <> p }
// <--- keyword.other.claim.promela
//  ^^^^ entity.name.function.promela
//         ^^ keyword.operator.temporal.promela
