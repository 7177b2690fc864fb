// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/**
 * A type as others can use it: what is public or protected, with generics, bounds, exceptions, constants and the types that a
 * sealed one permits; nothing of bodies, comments and names of parameters, nor of nullness, which compilers before 22 do not
 * read from class files. Sorted, because an order in a file is no promise.
 */
final class Signatures {
    private final StringBuilder out = new StringBuilder();

    private Signatures() {}

    static String of(List<TypeElement> types) {
        Signatures signatures = new Signatures();
        types.forEach(type -> signatures.type(type, ""));
        return signatures.out.toString();
    }

    private void type(TypeElement type, String indent) {
        out.append(indent).append(head(type)).append('\n');
        Set<String> members = new TreeSet<>();
        for (Element member : type.getEnclosedElements()) {
            boolean own = !member.getKind().isClass()
                    && !member.getKind().isInterface()
                    && member.getKind() != ElementKind.RECORD_COMPONENT;
            if (own && isVisible(member)) {
                members.add(member(type, member));
            }
        }
        members.forEach(
                member -> out.append(indent).append("    ").append(member).append('\n'));
        type.getEnclosedElements().stream()
                .filter(TypeElement.class::isInstance)
                .map(TypeElement.class::cast)
                .filter(Signatures::isVisible)
                .sorted((one, other) -> one.getSimpleName()
                        .toString()
                        .compareTo(other.getSimpleName().toString()))
                .forEach(nested -> type(nested, indent + "    "));
    }

    static boolean isVisible(Element element) {
        return element.getModifiers().contains(Modifier.PUBLIC)
                || element.getModifiers().contains(Modifier.PROTECTED);
    }

    private static String head(TypeElement type) {
        StringBuilder head = new StringBuilder(marks(type)).append(modifiers(type));
        head.append(
                        switch (type.getKind()) {
                            case INTERFACE -> "interface ";
                            case ENUM -> "enum ";
                            case RECORD -> "record ";
                            case ANNOTATION_TYPE -> "@interface ";
                            default -> "class ";
                        })
                .append(type.getSimpleName())
                .append(parameters(type.getTypeParameters()));
        TypeMirror above = type.getSuperclass();
        if (type.getKind() == ElementKind.CLASS
                && above.getKind() != TypeKind.NONE
                && !name(above).equals("Object")) {
            head.append(" extends ").append(name(above));
        }
        if (!type.getInterfaces().isEmpty()) {
            head.append(type.getKind().isInterface() ? " extends " : " implements ")
                    .append(names(type.getInterfaces()));
        }
        if (!type.getPermittedSubclasses().isEmpty()) {
            head.append(" permits ").append(names(type.getPermittedSubclasses()));
        }
        return head.toString();
    }

    private static String member(TypeElement type, Element member) {
        String head = marks(member) + modifiers(member);
        if (member instanceof VariableElement field) {
            Object constant = field.getConstantValue();
            return head + name(field.asType()) + " " + field.getSimpleName()
                    + (constant == null
                            ? ""
                            : " = " + (constant instanceof String ? "\"" + constant + "\"" : constant));
        }
        ExecutableElement method = (ExecutableElement) member;
        String generics = parameters(method.getTypeParameters());
        String named = method.getKind() == ElementKind.CONSTRUCTOR
                ? type.getSimpleName().toString()
                : name(method.getReturnType()) + " " + method.getSimpleName();
        String arguments =
                names(method.getParameters().stream().map(Element::asType).toList());
        return head + (generics.isEmpty() ? "" : generics + " ") + named + "(" + arguments + ")"
                + (method.isVarArgs() ? " varargs" : "")
                + (method.getThrownTypes().isEmpty() ? "" : " throws " + names(method.getThrownTypes()))
                + (method.getDefaultValue() == null ? "" : " default " + method.getDefaultValue());
    }

    /** Those of the language that callers notice. */
    private static String marks(Element element) {
        return element.getAnnotationMirrors().stream()
                .map(AnnotationMirror::getAnnotationType)
                .map(Object::toString)
                .filter(
                        Set.of(
                                "java.lang.Deprecated",
                                "java.lang.FunctionalInterface",
                                "java.lang.annotation.Inherited")::contains)
                .map(name -> "@" + name.substring(name.lastIndexOf('.') + 1) + " ")
                .collect(Collectors.joining());
    }

    /** Without what no caller can see or what the kind of type says. */
    private static String modifiers(Element element) {
        Set<Modifier> ignored = element.getKind().isInterface()
                ? Set.of(Modifier.ABSTRACT, Modifier.STATIC)
                : element.getKind() == ElementKind.ENUM || element.getKind() == ElementKind.RECORD
                        ? Set.of(Modifier.FINAL, Modifier.STATIC, Modifier.SEALED, Modifier.ABSTRACT)
                        : Set.of(Modifier.SYNCHRONIZED, Modifier.NATIVE, Modifier.STRICTFP);
        return element.getModifiers().stream()
                .filter(modifier -> !ignored.contains(modifier))
                .map(modifier -> modifier + " ")
                .collect(Collectors.joining());
    }

    private static String parameters(List<? extends TypeParameterElement> parameters) {
        return parameters.isEmpty()
                ? ""
                : parameters.stream()
                        .map(parameter -> parameter.getSimpleName() + bounds(parameter))
                        .collect(Collectors.joining(", ", "<", ">"));
    }

    private static String bounds(TypeParameterElement parameter) {
        String bounds = parameter.getBounds().stream()
                .map(Signatures::name)
                .filter(name -> !name.equals("Object"))
                .collect(Collectors.joining(" & "));
        return bounds.isEmpty() ? "" : " extends " + bounds;
    }

    private static String names(List<? extends TypeMirror> types) {
        return types.stream().map(Signatures::name).collect(Collectors.joining(", "));
    }

    private static String name(TypeMirror type) {
        // Newer compilers write a type's annotations before its name or within it.
        return type.toString()
                .replaceAll("@[\\w.]+(\\([^)]*\\))?,? ?", "")
                .replaceAll("(?<![\\w.])java\\.lang\\.(?=[A-Z])", "")
                .replaceAll(",(?=\\S)", ", ");
    }
}
