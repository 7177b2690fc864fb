--liquibase formatted sql

--changeset flexpool:1
create table audit (id bigint primary key, said varchar(100) not null);
