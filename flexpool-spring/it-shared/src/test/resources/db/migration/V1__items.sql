create table item (id bigint primary key, name varchar(100) not null);
